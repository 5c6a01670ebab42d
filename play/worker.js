// The worker: it holds the module, plans, and lets the units walk. The page only draws and asks.
import { ReplanError, load } from "./engine.js";
import { isBetween, isBlocked, materialsOf } from "./ground.js";
import { Complaint, applyDifferences, bytesOf, differencesOf, lettersOf } from "./link.js";
import { Scene } from "./scene.js";
import { scriptOf } from "./script.js";
import { CELLS_MOST, SETTINGS, initialSettings } from "./settings.js";
import { Staged, stageOf } from "./staged.js";
import { makeWorld } from "./worlds.js";

const TICK_MS = 50;
/** Two hundred units would take 1 GiB for the search state that each may keep. In this much the least used goes. */
const MEMORY_MOST = 384 << 20;
const LINK_LETTERS_MOST = 60000;

let replan;
let scene = null;
let seed = 0;
let isPaused = false;
let lastMs = performance.now();
const began = { startedMs: performance.timeOrigin + lastMs, loadedMs: 0, shownMs: 0 }; // when, for the figures of the page

const tell = (message, moved = []) => postMessage(message, moved);
const say = (text) => tell({ type: "sentence", text });

/** The sentence of an error. What is no complaint of ours is a fault, and is told as one. */
function sentenceOf(error) {
  if (error instanceof ReplanError) {
    return error.sentence;
  }
  return error instanceof Complaint ? error.message : `something went wrong: ${error.message}`;
}

function show(next, nextSeed) {
  scene?.close();
  scene = next;
  seed = nextSeed;
  tell(scene.told());
  began.shownMs ||= performance.timeOrigin + performance.now();
  tell({ type: "began", began });
}

/** What a map of a size begins as, in a link. @param frame of a costmap: { resolution, origin } */
const blankOf = ([width, height], frame) => ({
  name: "map", title: "Map", width, height, profile: frame ? "costmap" : "play", resolution: 1, ...frame,
  data: new Uint8Array(width * height).fill(materialsOf(frame ? "costmap" : "play").free),
});

async function open({ name, seed: wanted, size, frame, cells, settings, title }) {
  const made = size ? blankOf(size, frame) : makeWorld(name, wanted);
  const drawn = made.data.slice();
  if (cells) {
    try {
      applyDifferences(drawn, await bytesOf(cells));
    } catch (error) {
      say(`The world is shown as it was made: ${sentenceOf(error)}.`);
    }
  }
  const full = { ...initialSettings(made), ...settings };
  try {
    show(new Scene(replan, title ? { ...made, title } : made, drawn, full, wanted), wanted);
  } catch (error) {
    say(`The settings are not possible here: ${sentenceOf(error)}.`);
    show(new Scene(replan, made, drawn, { ...full, planner: "auto", torus: false, corners: true }, wanted), wanted);
  }
}

/** The same world with other settings that it is opened with. A scene's is any world then. */
function reopen(settings) {
  const { drawn, chosen } = scene;
  const isStaged = scene.staged !== null;
  const made = isStaged ? { ...scene.made, name: "map", title: "Map" } : scene.made;
  const full = isStaged ? { ...settings, units: Math.max(settings.units, SETTINGS.units.least) } : settings;
  show(new Scene(replan, made, drawn, full, seed), seed);
  scene.choose(chosen?.number);
}

/** Open a scene: its world, its planners, and the first step. */
function stage({ name }) {
  const { script, made, settings } = stageOf(name);
  const next = new Scene(replan, made, made.data.slice(), settings, script.seed);
  next.staged = new Staged(next, script);
  next.compare(script.planners);
  show(next, script.seed);
}

function readMap({ files, settings }) {
  const texts = files.filter(({ bytes }) => replan.mapPicture(bytes) !== null);
  const [first, second] = texts.length === 1 ? [texts[0], files.find((file) => file !== texts[0])] : files;
  const needed = replan.mapPicture(first.bytes);
  if (needed !== null && second === undefined) {
    throw new Complaint(`${first.name} needs its picture ${needed}: drop both files together`);
  }
  if (needed === null && second !== undefined) {
    throw new Complaint("these are two files; drop one map, or a YAML with its picture");
  }
  const map = replan.readMap(first.bytes, first.name, second?.bytes ?? null);
  if (map.width * map.height > CELLS_MOST) {
    throw new Complaint(`${first.name} has ${map.width} x ${map.height} cells, at most ${CELLS_MOST} are shown`);
  }
  const isCostmap = map.profile === "costmap";
  const made = {
    ...map, name: "map", title: first.name, profile: isCostmap ? "costmap" : "play", radius: 0, inflation: 0,
  };
  const full = { ...settings, planner: "auto", torus: false, radius: 0, inflation: 0 };
  show(new Scene(replan, made, made.data.slice(), full, seed), seed);
}

/** The letters of what was drawn, for a link. */
async function link() {
  const { made, drawn, width, height, profile } = scene;
  const isMap = made.name === "map";
  const size = isMap ? [width, height] : null;
  const frame = isMap && profile === "costmap" ? { resolution: made.resolution, origin: [...made.origin] } : null;
  const differences = differencesOf(isMap ? blankOf(size, frame).data : made.data, drawn);
  const cells = differences.length > 0 ? await lettersOf(differences) : null;
  if (cells !== null && cells.length > LINK_LETTERS_MOST) {
    throw new Complaint(`a link to this world would have ${cells.length} letters, at most ${LINK_LETTERS_MOST} are right: save its map instead`);
  }
  tell({ type: "link", link: { world: made.name, seed, size, frame, settings: scene.settings, cells } });
}

/** Files by name, and what they lose. */
function mapFiles({ width, height, profile, drawn, made: { resolution, origin } }) {
  if (profile === "costmap") {
    const files = replan.writeMap({ width, height, data: drawn, profile, resolution, ...(origin ? { origin: [...origin] } : {}) }, "world.yaml");
    const { data } = replan.readMap(files["world.yaml"], "world.yaml", files["world.pgm"]);
    const lost = drawn.filter((byte, i) => byte !== data[i]).length;
    return { files, sentence: lost > 0 ? `A map of ROS holds costs in steps of a hundredth: ${lost} cells have another cost in it. A link or a script keeps them.` : null };
  }
  const lost = drawn.filter((byte) => isBetween(profile, byte)).length;
  return {
    files: replan.writeMap({ width, height, data: drawn.map((byte) => (isBlocked(profile, byte) ? 0 : 1)) }, "world.map"),
    sentence: lost > 0 ? `A .map holds free and blocked cells only: ${lost} cells of terrain are free in it. A link or a script keeps them.` : null,
  };
}

function save(format) {
  if (format === "script") {
    tell({ type: "file", name: "world.replan", bytes: new TextEncoder().encode(scriptOf(scene.script())) });
    return;
  }
  const { files, sentence } = mapFiles(scene);
  for (const [name, bytes] of Object.entries(files)) {
    tell({ type: "file", name, bytes });
  }
  if (sentence !== null) {
    say(sentence);
  }
}

const HANDLERS = {
  load: ({ module }) => start(module),
  open,
  map: readMap,
  set: ({ settings }) => {
    const isWorlds = ["torus", "corners"].some((name) => settings[name] !== scene.settings[name]);
    try {
      (isWorlds ? reopen : (next) => scene.set(next))(settings);
    } finally {
      tell({ type: "settings", settings: scene.settings });
    }
  },
  pause: ({ isPaused: next }) => {
    isPaused = next;
  },
  paint: ({ cells, material, level, stroke }) => scene.paint(cells, material, level, stroke),
  undo: () => scene.undo(),
  move: ({ unit, what, cell }) => scene.move(unit, what, cell),
  choose: ({ unit }) => scene.choose(unit),
  compare: ({ planners }) => scene.compare(planners),
  stage,
  next: () => scene.staged?.next(),
  searches: ({ isOn }) => {
    scene.showsSearches = isOn;
  },
  whatIf: ({ place, id }) => tell({ type: "whatIf", id, place, units: scene.whatIf(place) }),
  link,
  save: ({ format }) => save(format),
};

async function handle(message) {
  if (message.type !== "load" && replan === undefined) {
    return; // it could not start, which was said
  }
  try {
    await HANDLERS[message.type](message);
  } catch (error) {
    say(`${message.type === "load" ? "The engine cannot start" : "That did not work"}: ${sentenceOf(error).replace(/\.$/, "")}.`);
  }
}

let queue = Promise.resolve(); // messages wait for those before them
let early = []; // those that came before the module
onmessage = ({ data }) => {
  if (data.type === "load") {
    queue = queue.then(() => handle(data));
    early.forEach((message) => {
      queue = queue.then(() => handle(message));
    });
    early = null;
  } else if (early === null) {
    queue = queue.then(() => handle(data));
  } else {
    early.push(data);
  }
};

function tick() {
  const nowMs = performance.now();
  const seconds = Math.min((nowMs - lastMs) / 1000, 0.1);
  lastMs = nowMs;
  if (scene !== null && (!isPaused || scene.staged !== null)) { // in a scene nobody walks
    try {
      const told = scene.tick(seconds, nowMs);
      const words = [told.searched, ...(told.rivals?.planners ?? []).map(({ search }) => search)].filter((each) => each !== null);
      tell(told, [told.places.buffer, ...words.map((each) => each.words.buffer)]);
    } catch (error) {
      isPaused = true;
      say(`The units stand still: ${sentenceOf(error)}.`);
    }
  }
  setTimeout(tick, Math.max(TICK_MS - (performance.now() - nowMs), 4));
}

/** Start with the module that the page compiled. */
async function start(module) {
  replan = await load({ wasm: module, maxMemoryBytes: MEMORY_MOST });
  began.loadedMs = performance.timeOrigin + performance.now();
  tell({ type: "ready", planners: replan.planners.map(({ id, paper, guarantee, capabilities }) => ({ id, paper, guarantee, capabilities })) });
  tick();
}
