// The page as people meet it: opened from the disk in chromium.
import assert from "node:assert/strict";
import { closeSync, ftruncateSync, mkdtempSync, openSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import test, { after, before } from "node:test";
import { pathToFileURL } from "node:url";

import { Browser } from "./browser.mjs";
import { costOf } from "./oracle.mjs";

const FILE = resolve(import.meta.dirname, "../../build/play/index.html");
const PAGE = pathToFileURL(FILE).href;
const WORLDS = ["empty", "wilds", "maze", "rooms", "city", "costmap", "yard"];
const WALK_MS = 90000; // a second on a machine that is not loaded
const SCRIPT_MS = 8; // of the page's thread for a frame; about 1

let browser;
let page; // of the test at hand
let folder;
before(() => {
  folder = mkdtempSync(join(tmpdir(), "replan-maps-"));
  browser = new Browser();
});
after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

const walking = () => page.until("globalThis.replanPage?.meter.walkedMs");
/** What the page said last; it goes from sight after some seconds, and its text stays. */
const sentence = () => page.until("document.getElementById('sentence').textContent");
const shown = (condition) => page.until(`globalThis.replanPage?.view.world && (({ world, chosen }) => ${condition})(replanPage.view)`);

/** Open a link in a page of its own. */
async function load(fragment) {
  await page?.close();
  page = await browser.open(1360, 860);
  await page.load(`${PAGE}${fragment}`);
}

/** The same, and wait until a world is shown. */
async function open(fragment) {
  await load(fragment);
  await shown("world.bytes.length > 0");
}

/** The bytes of the world as the page shows them. */
const bytes = async () => Uint8Array.from(await page.ask("[...replanPage.view.world.bytes]"));

/** The point of the window where a cell's middle is. */
const pointOf = (x, y) => page.ask(`(([x, y]) => { const box = document.getElementById("stage").getBoundingClientRect();
  return [x + box.left, y + box.top]; })(replanPage.view.pointOf(${x} + 0.5, ${y} + 0.5))`);

function quiet() {
  assert.deepEqual(page.console, []);
  assert.deepEqual(page.requests.filter((url) => !url.startsWith("file:") && !url.startsWith("blob:null/") && url !== "data:,"), []);
  assert.equal(page.requests.filter((url) => url.startsWith("file:")).length, 1);
}

test("the file is below 1 MB, and holds no address of anything else", () => {
  const text = readFileSync(FILE, "utf8");
  console.log(`  ${statSync(FILE).size} bytes`);
  assert.ok(statSync(FILE).size < 1000000);
  assert.doesNotMatch(text.replace(/<script type="text\/plain"[^]*?<\/script>/, ""), /https?:\/\//);
});

for (const world of WORLDS) {
  test(`units walk in ${world} soon after it is loaded; nothing is requested, nothing complains`, async () => {
    await load(`#world=${world}&seed=42`);
    const walkedMs = await walking();
    const loadMs = await page.ask("performance.getEntriesByType('navigation')[0].loadEventEnd");
    console.log(`  ${world}: units walk ${Math.round(walkedMs - loadMs)} ms after the load event`);
    assert.ok(walkedMs - loadMs < WALK_MS);
    quiet();
  });
}

test("a wall that is drawn turns the path, and the path is a shortest one", async () => {
  await open("#world=empty&seed=3&units=1&churn=0&speed=1");
  const at = async (x, y) => (await pointOf(x, y)).map(Math.round);
  await walking();
  const choose = async () => {
    const [x, y] = await page.ask("[replanPage.view.told.places[2], replanPage.view.told.places[3]]");
    const [pointX, pointY] = await pointOf(x - 0.5, y - 0.5);
    await page.drag([pointX, pointY], await at(20, 60));
  };
  await choose();
  await shown("chosen !== null && Math.abs(chosen.ends[0][0]) >= 0 && replanPage.view.told.places[2] < 30");
  const goal = await page.ask("replanPage.view.chosen.ends[1]");
  await page.drag(await at(...goal), await at(140, 60));
  await shown("chosen.ends[1][0] > 136 && chosen.cost !== null && chosen.cost < 140 && chosen.outcome === 'found'");
  const straight = await page.ask("replanPage.view.chosen");
  await page.key("w");
  await page.drag(await at(80, 5), await at(80, 100));
  await shown("world.bytes.filter((byte) => byte === 0).length > 200 && chosen.said[0].reason === 'invalid' && chosen.version > 1");
  const seen = await page.ask(`new Promise((done) => { const look = () => { const { chosen, told, world } = replanPage.view;
    chosen.version === told.version && chosen.outcome === "found"
      ? done({ chosen, bytes: [...world.bytes], goal: chosen.ends[chosen.toward] }) : setTimeout(look, 10); }; look(); })`);
  const cost = costOf(seen.bytes, 160, 120, false, 8, seen.chosen.from, seen.goal);
  assert.ok(Math.abs(cost - seen.chosen.cost) < 1e-6, `${seen.chosen.cost}, by Dijkstra ${cost}`);
  assert.ok(cost > straight.cost + 10, `${cost} is more than the ${straight.cost} of the straight path`);
  assert.match(await page.ask("document.getElementById('told').innerText"), /a change cut the path at/);
  const marked = () => page.ask("[replanPage.view.why.pathSeq, ...(replanPage.view.why.causes ?? []).flatMap(({ cells }) => [...cells])]");
  const [newest, ...cut] = await marked();
  const walls = await bytes(); // looked at after the marks: the last strokes of the wall may come after the path
  assert.ok(cut.length > 0 && cut.every((cell) => walls[cell] === 0), "the cells that cut the path are marked");
  await page.ask("document.querySelector('#told li:last-child button').click()");
  await page.until(`replanPage.view.why.pathSeq < ${newest}`);
  await page.ask("document.querySelector('#told li button').click()");
  await page.key("u");
  await shown("world.bytes.every((byte) => byte === 1)");
  await shown("chosen.said[0].reason === 'cheaper'");
  quiet();
});

test("a building that is held over the map says who would notice, and changes nothing", async () => {
  await open("#world=maze&seed=5&units=60&churn=0&speed=1");
  await walking();
  const before = await bytes();
  await page.key("b");
  await page.key("4");
  await page.mouse("mouseMoved", ...(await pointOf(80, 60)), { button: "none" });
  const told = await page.until("!document.getElementById('whatif').hidden && document.getElementById('whatif').textContent");
  assert.match(told, /lose the way|pay more|Nobody/);
  assert.deepEqual(await bytes(), before);
  quiet();
});

test("a link holds the world, the settings and what was drawn", async () => {
  await open("#world=rooms&seed=77&units=33&churn=0&torus=1&radius=1");
  await walking();
  await page.key("t");
  await page.drag(await pointOf(20, 20), await pointOf(60, 70));
  await page.key("w");
  await page.drag(await pointOf(100, 20), await pointOf(100, 50));
  await shown("world.bytes[70 * 161 + 60] === 4 && [99, 100, 101].every((x) => world.bytes[50 * 161 + x] === 0)");
  const before = await bytes();
  const settings = await page.ask("replanPage.view.world.settings");
  await page.ask("document.getElementById('link').click()");
  await page.until("location.hash.includes('cells=')");
  const fragment = await page.ask("location.hash");
  await open(fragment);
  assert.ok(Buffer.from(await bytes()).equals(Buffer.from(before)));
  assert.deepEqual(await page.ask("replanPage.view.world.settings"), settings);
  assert.equal(settings.units, 33);
  quiet();
});

for (const [fragment, told] of [
  ["#world=city&units=1000000000", /units is "1000000000", it must be a whole number from 1 to 200/],
  ["#world=<img src=x onerror=alert(1)>", /names the world/],
  ["#world=<script>alert(1)</script>", /names the world/],
  ["#world=city&seed=1&cells=AAAAgarbage", /as it was made: .*forged/],
  ["#world=map&size=160x120&cells=abc", /as it was made/],
  ["#world=city&planner=nobody", /not possible here/],
  ["#world=city&churn=1e9", /churn/], ["#javascript:alert(1)", /name=value/], ["#world=city&__proto__=1", /name=value|does not know/],
]) {
  test(`the link ${fragment.slice(0, 44)} is told in a sentence`, async () => {
    await load(fragment);
    const text = await sentence();
    assert.match(text, told);
    await walking();
    assert.equal(await page.ask("document.querySelectorAll('img, script:not([type]):not(:last-of-type)').length"), 0);
    quiet();
  });
}

// ---- files

/** Give files to the page as its file picker does. */
async function take(...paths) {
  const { root } = await page.call("DOM.getDocument");
  const { nodeId } = await page.call("DOM.querySelector", { nodeId: root.nodeId, selector: "#pick" });
  await page.call("DOM.setFileInputFiles", { nodeId, files: paths });
}

/** Drop files on the map. */
async function drop(...paths) {
  for (const type of ["dragEnter", "dragOver", "dragOver", "drop"]) {
    await page.call("Input.dispatchDragEvent", { type, x: 500, y: 400, data: { items: [], files: paths, dragOperationsMask: 1 } });
    await page.ask("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"); // it has been heard
  }
}

/** Save in a format, and wait for the files. */
async function save(format, ...names) {
  await browser.call("Browser.setDownloadBehavior", { behavior: "allow", downloadPath: folder, browserContextId: page.context });
  await page.ask("document.getElementById('sentence').textContent = ''");
  await page.ask(`document.querySelector('[data-save=${format}]').click()`);
  for (const end = Date.now() + 60000; !names.every((name) => readdirSync(folder).includes(name)) && Date.now() < end;) {
    await page.ask("new Promise((done) => setTimeout(done, 100))");
  }
}

function write(name, content) {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const ROWS = Array.from({ length: 12 }, (_, y) => Array.from({ length: 20 }, (__, x) => (x === 10 && y > 2 ? "T" : x < 2 && y < 2 ? "@" : ".")).join(""));
const MOVINGAI = `type octile\nheight 12\nwidth 20\nmap\n${ROWS.join("\n")}\n`;
const PIXELS = Buffer.from(ROWS.join("").replaceAll(/[T@]/g, "\0").replaceAll(".", "\xfe"), "latin1");

test("a .map, a PGM and a YAML with its picture become worlds, dropped or picked", async () => {
  await open("#world=empty&seed=1&units=5&churn=0");
  const cells = Uint8Array.from(ROWS.join(""), (letter) => (letter === "." ? 1 : 0));
  await drop(write("a map <b>.map", MOVINGAI));
  await shown("world.width === 20");
  assert.deepEqual(await bytes(), cells);
  assert.equal(await page.ask("document.getElementById('world').selectedOptions[0].textContent"), "a map <b>.map");
  await open("#world=empty&seed=1&units=5&churn=0");
  const pgm = write("room.pgm", Buffer.concat([Buffer.from("P5\n20 12\n255\n"), PIXELS]));
  await take(pgm);
  await shown("world.width === 20");
  assert.deepEqual(await bytes(), cells);
  const yaml = write("room.yaml", "image: room.pgm\nresolution: 0.1\norigin: [1.0, 2.0, 0.0]\nnegate: 0\noccupied_thresh: 0.65\nfree_thresh: 0.25\n");
  await take(yaml);
  assert.match(await sentence(), /room\.yaml needs its picture room\.pgm/);
  await drop(pgm, yaml);
  await shown("world.profile === 'costmap'");
  const flipped = Uint8Array.from({ length: 240 }, (_, i) => (cells[(11 - Math.floor(i / 20)) * 20 + (i % 20)] === 0 ? 254 : 0));
  assert.deepEqual(await bytes(), flipped);
  await walking();
  quiet();
});

test("what is no map is told in a sentence, and its name is text", async () => {
  await open("#world=empty&seed=1&units=5&churn=0");
  const giant = join(folder, "giant.png");
  const handle = openSync(giant, "w");
  ftruncateSync(handle, 2 ** 30);
  closeSync(handle);
  for (const [paths, told] of [
    [[giant], /giant\.png has 1,024 MiB, at most 32 are read/],
    [[write("<img src=x onerror=alert(1)>.map", "type octile\nheight x")], /<img src=x onerror=alert\(1\)>/],
    [[write("noise.png", Buffer.from(Array.from({ length: 999 }, (_, i) => (i * 97) % 256)))], /noise\.png/],
    [[write("short.map", MOVINGAI.slice(0, -30))], /short\.map/], [[write("empty.map", "")], /empty\.map/],
    [[write("one.map", MOVINGAI), write("two.map", MOVINGAI)], /two files/],
    [[write("a.map", ""), write("b.map", ""), write("c.map", "")], /3 files/],
    [[write("wide.map", `type octile\nheight 2\nwidth 600000\nmap\n`)], /wide\.map/],
  ]) {
    await page.ask("document.getElementById('sentence').textContent = ''");
    await drop(...paths);
    assert.match(await sentence(), told);
    assert.equal(await page.ask("replanPage.view.world.name"), "empty");
  }
  assert.equal(await page.ask("document.images.length"), 0);
  quiet();
});

test("a picture, a map and a script are saved", async () => {
  await open("#world=city&seed=8&units=9&churn=0");
  await walking();
  const seen = await bytes();
  await save("png", "replan.png");
  await save("map", "world.map");
  const terrain = seen.filter((byte) => byte > 1 && byte < 240).length;
  assert.ok(terrain > 100);
  assert.ok((await sentence()).includes(`${terrain} cells of terrain are free in it`));
  await save("script", "world.replan");
  assert.deepEqual([...readFileSync(join(folder, "replan.png")).subarray(1, 4)], [80, 78, 71]);
  const rows = readFileSync(join(folder, "world.map"), "latin1").split("\n").slice(4, 124).join("");
  assert.deepEqual(Uint8Array.from(rows, (letter) => (letter === "." ? 1 : 0)), seen.map((byte) => (byte > 0 && byte < 240 ? 1 : 0)));
  const script = readFileSync(join(folder, "world.replan"), "utf8");
  assert.match(script, /^replan-script 1\nsize 160 120\nneighbors 8\nwrap 0\nset /);
  assert.equal(script.match(/^plan$/gm).length, 9);
});

test("a costmap is saved as the YAML and picture of a map_server, and a link holds one that was dropped", async () => {
  await open("#world=costmap&seed=8&units=4&churn=0");
  await walking();
  const made = await bytes();
  await save("map", "world.yaml", "world.pgm");
  await open("#world=empty&seed=1&units=4&churn=0");
  await drop(join(folder, "world.yaml"), join(folder, "world.pgm"));
  await shown("world.profile === 'costmap'");
  assert.ok(Buffer.from(await bytes()).equals(Buffer.from(made)), "it is read back as it was");
  await page.key("t");
  await page.drag(await pointOf(40, 70), await pointOf(120, 70));
  await shown("world.bytes[71 * 200 + 120] === 130");
  const drawn = await bytes();
  await page.ask("document.getElementById('link').click()");
  const fragment = await page.until("location.hash.includes('cells=') && location.hash");
  console.log(`  a link to a costmap of 200 x 150 cells has ${fragment.length} letters`);
  await open(fragment);
  await shown("world.profile === 'costmap'");
  assert.ok(Buffer.from(await bytes()).equals(Buffer.from(drawn)));
  assert.equal(await page.ask("replanPage.view.world.resolution"), 0.05);
  await walking();
  quiet();
});

test("a link that would be too long is told", async () => {
  const noise = Buffer.from(Array.from({ length: 300 * 300 }, (_, i) => Math.floor(Math.abs(Math.sin(i * i + i) * 1e6)) % 101));
  const pgm = write("noise.pgm", Buffer.concat([Buffer.from("P5\n300 300\n255\n"), noise]));
  await open("#world=empty&seed=1&units=1&churn=0");
  await drop(pgm, write("noise.yaml", "image: noise.pgm\nresolution: 0.1\norigin: [0.0, 0.0, 0.0]\nnegate: 0\noccupied_thresh: 0.65\nfree_thresh: 0.25\nmode: raw\n"));
  await shown("world.profile === 'costmap'");
  await page.ask("document.getElementById('link').click()");
  assert.match(await sentence(), /a link to this world would have \d+ letters/);
  quiet();
});

// ---- work

test("two planners side by side agree on every cost", async () => {
  await open("#world=rooms&seed=6&units=20&churn=40");
  await page.ask("document.getElementById('compare').click()");
  await page.until("/^[2-9]\\d updates|^\\d{3}/.test(document.getElementById('agree').textContent)");
  assert.match(await page.ask("document.getElementById('agree').textContent"), /equal in all of them/);
  assert.equal(await page.ask("document.querySelectorAll('#bars dd').length"), 6);
  quiet();
});

/** Let the page count its calls of a canvas and its frames from here on. */
const COUNT = `globalThis.counted = { calls: 0, frames: 0, missed: 0 };
  for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(CanvasRenderingContext2D.prototype))) {
    if (typeof value === "function") {
      CanvasRenderingContext2D.prototype[name] = function (...rest) { counted.calls++; return value.apply(this, rest); };
    }
  }
  { let before = performance.now(); const count = (now) => { counted.frames++; counted.missed += now - before > 25 ? 1 : 0; before = now; requestAnimationFrame(count); };
    requestAnimationFrame(count); }`;

/** CPU time of the page's thread for a frame, and calls of a canvas, over some frames. */
async function measured(count) {
  const read = async () => {
    const { metrics } = await page.call("Performance.getMetrics");
    const { TaskDuration: all, ScriptDuration: script } = Object.fromEntries(metrics.map(({ name, value }) => [name, 1000 * value]));
    return { all, script, ...(await page.ask("({ ...counted, ticks: replanPage.meter.heard })")) };
  };
  const from = await read();
  await page.until(`counted.frames >= ${from.frames + count}`);
  const to = await read();
  const frames = to.frames - from.frames;
  const of = (name) => (to[name] - from[name]) / frames;
  return { all: of("all"), script: of("script"), calls: of("calls"), missed: of("missed"), ticks: of("ticks") };
}

test("two hundred units and twenty changes a second leave the page its time", async () => {
  await open("#world=city&seed=42&units=200&churn=20");
  await page.call("Performance.enable", { timeDomain: "threadTicks" });
  await walking();
  await page.ask(COUNT);
  await page.ask("replanPage.meter.frames.length = 0");
  const rounds = [await measured(100), await measured(100), await measured(100)].sort((a, b) => a.all - b.all);
  const { all, script, calls, ticks, missed } = rounds[0];
  const [half, most] = await page.ask("[0.5, 0.95].map((share) => replanPage.quantile(replanPage.meter.frames, share))");
  console.log(`  a frame, quietest of three rounds: CPU of the page's thread ${all.toFixed(1)} ms, ${script.toFixed(1)} of it script; ${Math.round(calls)} calls of a canvas; `
    + `${ticks.toFixed(2)} ticks heard; ${(100 * missed).toFixed(0)} % came late. By the clock: median ${half.toFixed(1)} ms, p95 ${most.toFixed(1)} ms`);
  assert.ok(script < SCRIPT_MS);
  await page.ask("document.getElementById('pause').click()");
  await page.ask("new Promise((done) => setTimeout(done, 500))");
  const still = await measured(60);
  console.log(`  a frame without a tick: CPU ${still.all.toFixed(1)} ms, ${Math.round(still.calls)} calls of a canvas`);
  assert.equal(still.ticks, 0);
  assert.ok(still.calls < 2 * 200, `${still.calls} calls: units are put down as pictures, lines are not drawn again`);
  quiet();
});

test("keys and a finger do what the mouse does", async () => {
  await open("#world=empty&seed=2&units=3&churn=0");
  await page.ask("document.getElementById('stage').focus()");
  await page.key("w");
  await page.key("1");
  for (const key of ["ArrowRight", "ArrowRight", "Enter"]) {
    await page.key(key);
  }
  await shown("world.bytes[60 * 160 + 82] === 0");
  const phone = await browser.open(390, 844, { isPhone: true });
  await phone.load(`${PAGE}#world=empty&seed=2&units=3&churn=0`);
  await phone.until("globalThis.replanPage?.meter.walkedMs");
  assert.ok(await phone.ask("document.documentElement.scrollWidth <= 390"));
  const cut = await phone.ask(`(({ options, clientWidth }, context) => { context.font = getComputedStyle(document.getElementById("world")).font;
    return [...options].filter(({ text }) => context.measureText(text).width + 20 > clientWidth).map(({ text }) => text); })(
    Object.assign(document.getElementById("world"), { style: "width: 100%" }), document.createElement("canvas").getContext("2d"))`);
  assert.deepEqual(cut, [], "the names of the worlds are not cut");
  await phone.ask("document.querySelector('[data-tool=wall]').click()");
  const [x, y] = await phone.ask("(([x, y]) => { const box = document.getElementById('stage').getBoundingClientRect(); return [x + box.left, y + box.top]; })(replanPage.view.pointOf(40.5, 40.5))");
  await phone.call("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [{ x, y }] });
  await phone.call("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: [{ x: x + 60, y }] });
  await phone.call("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  await phone.until("replanPage.view.world.bytes.filter((byte) => byte === 0).length > 20");
  assert.deepEqual(phone.console, []);
  await phone.close();
});

// ---- see the idea

test("a scene opens by its link, goes on step by step, and a slider goes through the searches", async () => {
  await load("#scene=lpa");
  await page.until("!document.getElementById('caption').hidden && replanPage.view.duel?.most > 0");
  assert.match(await page.ask("document.getElementById('caption').textContent"), /first search of Lifelong Planning A\*/);
  await page.ask("document.getElementById('next').click()");
  await page.until("document.getElementById('stepOf').textContent === 'step 2 of 3'");
  const said = await page.ask("document.getElementById('caption').textContent");
  const [, raised, expanded, reused, most] = /takes back (\d+), expands (\d+) cells, and leans on (\d+) .* A\* expands (\d+) cells/.exec(said).map(Number);
  assert.ok(most > 3 * (raised + expanded) && reused > expanded, said);
  const painted = () => page.ask("replanPage.view.duel.painted()");
  await page.until("replanPage.view.duel.step > 0");
  assert.deepEqual(await painted(), [{ steps: raised + expanded, kept: reused }, { steps: most, kept: 0 }]);
  await page.ask("(() => { const seek = document.getElementById('seek'); seek.value = 100; seek.dispatchEvent(new Event('input')); })()");
  assert.match(await page.ask("document.getElementById('at').textContent"), /^100 of .*held$/);
  await page.ask("document.getElementById('next').click()");
  await page.until("document.getElementById('stepOf').textContent === 'step 3 of 3'");
  assert.equal(await page.ask("replanPage.view.duel.isHeld"), false, "the next step is seen whole");
  quiet();
});

test("what is drawn in one pane is drawn for both planners", async () => {
  await load("#scene=fsa");
  await page.until("replanPage?.view.duel?.most > 0 && !document.getElementById('caption').hidden");
  const from = await pointOf(30, 25);
  const corner = await page.ask("replanPage.view.paneCorner(1)");
  await page.key("w");
  await page.drag(from.map((at, i) => at + corner[i]), (await pointOf(30, 35)).map((at, i) => at + corner[i]));
  await shown("world.bytes[25 * 64 + 30] === 0 && world.bytes[34 * 64 + 30] === 0");
  await page.until("document.getElementById('agree').textContent.match(/^([2-9]|\\d\\d) updates; their costs were equal in all of them/)");
  quiet();
});

test("the ends of a scene are dragged in any pane", async () => {
  await load("#scene=flow");
  await page.until("replanPage?.view.isStaged && replanPage.view.duel?.most > 0 && !document.getElementById('caption').hidden");
  const corner = await page.ask("replanPage.view.paneCorner(1)");
  const at = async (x, y) => (await pointOf(x, y)).map((value, i) => value + corner[i]);
  await page.drag(await at(6, 20), await at(20, 28));
  await page.until("String(replanPage.view.duelEnds[0]) === '20,28'");
  await page.until("/^\\d+ updates; their costs were equal in all/.test(document.getElementById('agree').textContent)");
  assert.equal(await page.ask("replanPage.view.duel.painted()[0].steps"), 0, "the field knows the cost from there");
  quiet();
});

test("a scene that is none, or more beside it, is told", async () => {
  for (const [fragment, expected] of [["#scene=nonsense", /names the scene "nonsense"/], ["#scene=lpa&units=3", /names a scene, and more/]]) {
    await load(fragment);
    assert.match(await sentence(), expected);
    await walking();
    quiet();
  }
});

test("what the units search is shown, and ends with the switch", async () => {
  await open("#world=city&seed=42&units=60&churn=30");
  await walking();
  await page.ask("document.getElementById('searches').click()");
  await page.until("replanPage.view.searches?.isFresh(performance.now() / 1000) && replanPage.view.searches.cells > 100");
  await page.ask("document.getElementById('searches').click()");
  await page.until("replanPage.view.searches === null");
  quiet();
});
