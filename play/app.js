// The page: it starts the worker, shows what it tells, and hands on what people do.
import { compile } from "./compile.js";
import { byId, figureOf, make } from "./dom.js";
import { fragmentOf, readFragment } from "./link.js";
import { paletteOf } from "./palette.js";
import { Duel, Searches } from "./duel.js";
import { Settings, listPlanners, showCaption, showLegend, showRivals, showSeek } from "./panel.js";
import { markedOf, showUnit } from "./reasons.js";
import { SCENES } from "./scenes.js";
import { FILE_BYTES_MOST, SEED_MOST } from "./settings.js";
import { Tools } from "./tools.js";
import { View } from "./view.js";
import { WORLDS } from "./worlds.js";

const SENTENCE_MS = 9000;
const FIRST = { world: "city", seed: 42 };
const FRAMES = 600; // of which the page's own work is remembered

const worker = new Worker(URL.createObjectURL(new Blob([byId("worker").textContent], { type: "text/javascript" })));
const send = (message) => worker.postMessage(message);
compile(byId("module").textContent).then((module) => send({ type: "load", module }))
  .catch((error) => say(`The engine cannot start: ${error.message}.`));
const view = new View(byId("stage"), byId("ground"), byId("paths"), byId("over"));
const tools = new Tools(view, send);
let settings = {};
let seed = FIRST.seed;
let isPaused = false;
const meter = { frames: [], ticks: [], heard: 0, messageMs: 0, walkedMs: null };

// ---- sentences

let sentenceTimer = 0;
function say(text) {
  byId("sentence").textContent = text;
  byId("sentence").hidden = false;
  clearTimeout(sentenceTimer);
  sentenceTimer = setTimeout(() => {
    byId("sentence").hidden = true;
  }, SENTENCE_MS);
}

// ---- light and dark

const darkness = matchMedia("(prefers-color-scheme: dark)");
let theme = null; // what a person chose
function light() {
  const isDark = theme === null ? darkness.matches : theme === "dark";
  document.documentElement.dataset.theme = isDark ? "dark" : "light";
  view.isDark = isDark;
  showLegend(isDark);
  const { terrain } = paletteOf(isDark);
  byId("levels").querySelectorAll("i").forEach((swatch, i) => {
    swatch.style.background = terrain[i];
  });
  if (view.world !== null) {
    view.repaint();
  }
}
darkness.addEventListener("change", light);
byId("theme").addEventListener("click", () => {
  theme = view.isDark ? "light" : "dark";
  light();
});

// ---- settings

const panel = new Settings((name, value) => {
  settings = { ...settings, [name]: value };
  panel.show(settings, view.world?.profile);
  send({ type: "set", settings });
});

function pause(next) {
  isPaused = next;
  byId("pause").textContent = isPaused ? "Go on" : "Pause";
  byId("pause").setAttribute("aria-pressed", isPaused);
  send({ type: "pause", isPaused });
}
byId("pause").addEventListener("click", () => pause(!isPaused));
document.addEventListener("visibilitychange", () => send({ type: "pause", isPaused: isPaused || document.hidden }));

/** The planners that are compared; null: none are. */
const rivals = () => (byId("compare").checked ? [byId("rival0").value, byId("rival1").value].filter((id) => id !== "") : null);

/** Show a pane for each planner that is compared. */
function arrangePanes() {
  const ids = rivals();
  byId("duel").hidden = ids === null;
  view.duel = ids === null ? null : new Duel(ids, view.world.width, view.world.height);
  showSeek(view.duel);
  byId("stage").dataset.panes = view.duel?.count ?? 1;
  view.fit();
}

["compare", "rival0", "rival1"].forEach((id) => byId(id).addEventListener("change", () => {
  send({ type: "compare", planners: rivals() });
  arrangePanes();
}));
byId("seek").addEventListener("input", () => {
  view.duel?.seek(Number(byId("seek").value));
  view.redraw();
  showSeek(view.duel);
});
byId("searches").addEventListener("change", () => {
  const isOn = byId("searches").checked;
  view.searches = isOn ? new Searches(view.world.width, view.world.height) : null;
  send({ type: "searches", isOn });
});

// ---- scenes

let script = null; // of the scene that is shown

byId("scene").append(...SCENES.map(({ name, title }) => make("option", { value: name }, title)));
function openScene(name) {
  history.replaceState(null, "", `#scene=${name}`);
  send({ type: "stage", name });
}
byId("scene").addEventListener("change", () => {
  const { value } = byId("scene");
  if (value !== "") {
    openScene(value);
  } else if (script !== null) {
    history.replaceState(null, "", "#");
    open(FIRST.world, FIRST.seed, {});
  }
});
byId("next").addEventListener("click", () => {
  view.duel?.seek(view.duel.most); // what comes is seen whole
  send(byId("next").textContent === "Again" ? { type: "stage", name: script.name } : { type: "next" });
});

/** A world came. If it is that of a scene, its planners are compared. @param name of the scene, or null */
function showScene(name) {
  const before = script;
  script = SCENES.find((scene) => scene.name === name) ?? null;
  byId("scene").value = script?.name ?? "";
  if (script !== null) {
    byId("compare").checked = true;
    [byId("rival0").value, byId("rival1").value] = [script.planners[0], script.planners[1] ?? ""];
  } else if (before !== null) {
    byId("compare").checked = false;
  } else if (byId("compare").checked) {
    send({ type: "compare", planners: rivals() });
  }
  showCaption(null);
  if (byId("searches").checked) {
    send({ type: "searches", isOn: true });
  }
  arrangePanes();
}

// ---- worlds and links

byId("world").append(...WORLDS.map(({ name, title }) => make("option", { value: name }, title)));

/** What stays when another world is opened; nothing of a scene, in which nobody walks. */
const kept = () => {
  if (script !== null) {
    return {};
  }
  const { radius, inflation, planner, ...rest } = settings;
  return rest;
};

function open(name, wanted, rest = { settings: kept() }) {
  seed = wanted;
  send({ type: "open", name, seed, ...rest });
}

byId("world").addEventListener("change", () => {
  if (WORLDS.some(({ name }) => name === byId("world").value)) {
    open(byId("world").value, seed);
  }
});
const worldName = () => (WORLDS.some(({ name }) => name === view.world.name) ? view.world.name : FIRST.world);
byId("again").addEventListener("click", () => open(worldName(), Math.floor(Math.random() * (SEED_MOST + 1))));
byId("seed").addEventListener("change", () => {
  const text = byId("seed").value.trim();
  if (/^\d{1,6}$/.test(text)) {
    open(worldName(), Number(text));
  } else {
    say(`The seed must be a whole number from 0 to ${SEED_MOST}.`);
    byId("seed").value = seed;
  }
});

/** Open what the address says; a link that cannot be read is told, and the first world is shown. */
function openLink() {
  let link = null;
  try {
    link = readFragment(location.hash);
  } catch (error) {
    say(`This link cannot be read: ${error.message}. Another world is shown.`);
  }
  if (link === null) {
    open(FIRST.world, FIRST.seed, {});
  } else if (link.scene !== null) {
    openScene(link.scene);
  } else {
    open(link.world, link.seed ?? FIRST.seed, { size: link.size, frame: link.frame, cells: link.cells, settings: link.settings });
  }
}
addEventListener("hashchange", openLink);

byId("link").addEventListener("click", () => (script === null ? send({ type: "link" }) : giveLink(`#scene=${script.name}`)));
async function giveLink(fragment) {
  history.replaceState(null, "", fragment);
  try {
    await navigator.clipboard.writeText(location.href);
    say("The link is copied. It holds the world, the settings, and what you drew.");
  } catch {
    say("The link is in the address line. It holds the world, the settings, and what you drew.");
  }
}

// ---- files

function give(name, blob) {
  const address = URL.createObjectURL(blob);
  make("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}
byId("files").addEventListener("click", async (event) => {
  const format = event.target.closest("[data-save]")?.dataset.save;
  if (format !== undefined) {
    byId("files").open = false;
    if (format === "png") {
      give("replan.png", await view.picture());
    } else {
      send({ type: "save", format });
    }
  }
});
document.addEventListener("pointerdown", (event) => {
  byId("files").open = byId("files").open && byId("files").contains(event.target);
});

/** Read map files. The module's readers decide what is a map. */
async function take(list) {
  const files = [...list];
  byId("files").open = false;
  const large = files.find(({ size }) => size > FILE_BYTES_MOST);
  if (files.length === 0) {
    say("There was no file in what was dropped.");
  } else if (files.length > 2) {
    say(`These are ${files.length} files; drop one map, or a YAML with its picture.`);
  } else if (large !== undefined) {
    say(`${large.name} has ${figureOf(large.size / 2 ** 20)} MiB, at most ${FILE_BYTES_MOST / 2 ** 20} are read.`);
  } else {
    try {
      const read = await Promise.all(files.map(async (file) => ({ name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) })));
      send({ type: "map", files: read, settings });
    } catch (error) {
      say(`The file cannot be read: ${error.message}.`);
    }
  }
}
byId("pick").addEventListener("change", () => {
  take(byId("pick").files);
  byId("pick").value = "";
});
addEventListener("dragover", (event) => {
  event.preventDefault();
  byId("drop").hidden = false;
});
addEventListener("dragleave", (event) => {
  byId("drop").hidden = event.relatedTarget === null;
});
addEventListener("drop", (event) => {
  event.preventDefault();
  byId("drop").hidden = true;
  take(event.dataTransfer.files);
});

// ---- keys of the page

document.addEventListener("keydown", (event) => {
  if (event.target.matches("input:not([type=checkbox]), select") || event.ctrlKey || event.metaKey || event.altKey) {
    return;
  }
  const id = { p: "pause", n: "again", d: "theme", l: "link" }[event.key.toLowerCase()];
  if (id !== undefined) {
    byId(id).click();
  }
});

// ---- what the worker tells

function showWorld(told) {
  settings = told.settings;
  panel.show(settings, told.profile);
  const list = byId("world");
  list.querySelector("[data-other]")?.remove();
  if (!WORLDS.some(({ name }) => name === told.name)) {
    list.append(make("option", { value: told.name, "data-other": true }, told.name === "map" ? told.title : "Scene"));
  }
  list.value = told.name;
  byId("seed").value = seed;
  byId("mapform").textContent = told.profile === "costmap" ? ".yaml, .pgm" : ".map";
  tools.at = null;
  view.show(told);
  showScene(told.isStaged ? told.name : null);
}

function showTick(told) {
  const nowMs = performance.now();
  if (told.changed !== null) {
    view.change(told.changed);
  }
  view.tick(told, nowMs / 1000);
  view.chosen = told.chosen;
  showUnit(told.chosen, view.world.width);
  view.why = markedOf(told.chosen);
  if (told.rivals !== null) {
    view.duelEnds = told.rivals.ends;
    view.isStaged = told.staged !== null;
    showRivals(told.rivals, told.staged !== null);
    if (view.duel?.take(told.rivals.planners)) {
      showSeek(view.duel);
    }
  }
  if (told.staged !== null && told.rivals !== null) {
    showCaption(script, told.staged.step, told.rivals.planners.map(({ last }) => last));
  }
  if (told.searched !== null) {
    view.searches?.take(told.searched.words, told.searched.heard, told.changed !== null, nowMs / 1000);
  }
  meter.heard++;
  meter.ticks.push({ at: nowMs, ms: told.engineMs, ...told.counts, version: told.version, bytesInUse: told.bytesInUse });
  meter.ticks = meter.ticks.filter(({ at }) => at > nowMs - 2000);
  meter.walkedMs ??= told.places.some((value, i) => i % 4 < 2 && value !== told.places[i + 2]) ? nowMs : null;
}

const HANDLERS = {
  ready: ({ planners }) => listPlanners(planners),
  began: ({ began }) => {
    meter.began ??= Object.fromEntries(Object.entries(began).map(([name, atMs]) => [name, atMs - performance.timeOrigin]));
  },
  world: showWorld,
  tick: showTick,
  settings: (told) => {
    const showedMargin = view.showsMargin;
    settings = told.settings;
    view.world.settings = settings;
    panel.show(settings, view.world.profile);
    if (view.showsMargin !== showedMargin) {
      view.repaint();
    }
  },
  whatIf: (told) => tools.answer(told),
  link: ({ link }) => giveLink(fragmentOf(link)),
  file: ({ name, bytes }) => give(name, new Blob([bytes])),
  sentence: ({ text }) => say(text),
};
worker.onmessage = ({ data }) => {
  const from = performance.now();
  HANDLERS[data.type](data);
  meter.messageMs += performance.now() - from;
};
worker.onerror = () => say("The worker of this page ended: reload it.");

// ---- frames

function readout() {
  const { ticks, frames } = meter;
  if (ticks.length > 1) {
    const [first, last] = [ticks[0], ticks[ticks.length - 1]];
    const seconds = (last.at - first.at) / 1000;
    const perSecond = (name) => figureOf(Math.max((last[name] - first[name]) / seconds, 0), 0);
    const engineMs = ticks.reduce((sum, { ms }) => sum + ms, 0) / ticks.length;
    byId("readout").textContent = `version ${figureOf(last.version)} \u00b7 ${perSecond("answers")} answers a second \u00b7 ${perSecond("expansions")} cells expanded a second\n`
      + `planning ${figureOf(engineMs, 1)} ms a tick \u00b7 drawing ${figureOf(quantile(frames, 0.95), 1)} ms a frame (p95) \u00b7 ${figureOf(last.bytesInUse / 2 ** 20, 0)} MiB in use`;
  }
}

const quantile = (list, share) => [...list].sort((a, b) => a - b)[Math.floor(share * list.length)] ?? 0;

function frame() {
  const from = performance.now();
  view.draw(from / 1000);
  meter.frames.push(performance.now() - from + meter.messageMs);
  meter.messageMs = 0;
  if (meter.frames.length > FRAMES) {
    meter.frames.shift();
  }
  requestAnimationFrame(frame);
}

light();
openLink();
setInterval(readout, 500);
requestAnimationFrame(frame);
globalThis.replanPage = { meter, view, quantile }; // for tests, and the curious
