// What needs no browser: worlds, links, scripts, and scenes as the worker holds them.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import test from "node:test";

import { costOf } from "./oracle.mjs";

globalThis.replanEngine = createRequire(import.meta.url)("../../build/wasm/traced/replan-engine.cjs");
const replan = await globalThis.replanEngine.load();
const { isBlocked, materialsOf } = await import("../../play/ground.js");
const { Complaint, applyDifferences, bytesOf, differencesOf, fragmentOf, lettersOf, readFragment } = await import("../../play/link.js");
const { randomOf, wholeOf } = await import("../../play/random.js");
const { Scene } = await import("../../play/scene.js");
const { SCENES } = await import("../../play/scenes.js");
const { scriptOf } = await import("../../play/script.js");
const { initialSettings } = await import("../../play/settings.js");
const { Staged, stageOf } = await import("../../play/staged.js");
const { cellOf, countsOf, kindOf, stepsOf } = await import("../../play/trace.js");
const { bodyOf } = await import("../../play/driving.js");
const { WORLDS, makeWorld } = await import("../../play/worlds.js");

/** A scene of a world, and its clock. */
function sceneOf(name, settings = {}, seed = 7) {
  const made = makeWorld(name, seed);
  const scene = new Scene(replan, made, made.data.slice(), { ...initialSettings(made), ...settings }, seed);
  let nowMs = 0;
  const run = (ticks) => Array.from({ length: ticks }, () => scene.tick(0.05, nowMs += 50)).at(-1);
  return { scene, run };
}

test("a world is decided by its seed", () => {
  for (const { name } of WORLDS) {
    assert.deepEqual(makeWorld(name, 5), makeWorld(name, 5));
    assert.ok(name === "empty" || differencesOf(makeWorld(name, 5).data, makeWorld(name, 6).data).length > 0, name);
  }
});

test("differences give back what was drawn", async () => {
  const random = randomOf(11);
  for (let i = 0; i < 200; i++) {
    const before = makeWorld("city", i).data;
    const after = before.slice();
    for (let j = 0; j < i; j++) {
      const cell = wholeOf(random, 0, after.length - 1);
      after.fill(wholeOf(random, 0, 255), cell, cell + wholeOf(random, 1, 300));
    }
    const differences = differencesOf(before, after);
    const letters = differences.length > 0 ? await lettersOf(differences) : "";
    const data = before.slice();
    applyDifferences(data, letters === "" ? differences : await bytesOf(letters));
    assert.ok(Buffer.from(data).equals(Buffer.from(after)), `round ${i}`);
  }
});

test("a link that was cut or forged is a complaint, and nothing is drawn", async () => {
  const before = makeWorld("rooms", 3).data;
  const after = before.slice().fill(0, 1000, 9000);
  const letters = await lettersOf(differencesOf(before, after));
  const random = randomOf(5);
  let refused = 0;
  for (let i = 0; i < 500; i++) {
    const forged = [...letters.slice(0, wholeOf(random, 1, letters.length))];
    forged[wholeOf(random, 0, forged.length - 1)] = "AQgw-_z0"[i % 8];
    const data = before.slice();
    try {
      applyDifferences(data, await bytesOf(forged.join("")));
    } catch (error) {
      assert.ok(error instanceof Complaint, error.stack);
      assert.deepEqual(data, before);
      refused++;
    }
  }
  assert.ok(refused > 300, `${refused} of 500 refused`);
  const bomb = await lettersOf(new Uint8Array(64 << 20));
  await assert.rejects(bytesOf(bomb), /unpack to more than/);
  for (const run of [[0, 0x80], [0x80, 0x80, 0x80, 0x80, 0x80, 1, 1, 0], [0, 0xff, 0xff, 0xff, 0x7f, 0], [5, 5]]) {
    assert.throws(() => applyDifferences(before.slice(), Uint8Array.from(run)), Complaint);
  }
});

test("a fragment is read as it was written, or refused by name", () => {
  const link = { world: "maze", seed: 12, size: null, frame: null, settings: { ...initialSettings(null), torus: true, units: 150 }, cells: "abc", scene: null };
  assert.deepEqual(readFragment(fragmentOf(link)), link);
  const map = { ...link, world: "map", seed: null, size: [30, 20], frame: { resolution: 0.05, origin: [-1.25, 1e-7, 3.0000000000000004] } };
  assert.deepEqual(readFragment(fragmentOf(map)), map);
  assert.equal(readFragment(""), null);
  for (const [fragment, sentence] of [
    ["#world=city&units=1000000000", /units is "1000000000", it must be a whole number from 1 to 200/],
    ["#world=city&units=1e9", /units is "1e9"/], ["#world=city&seed=-1", /seed is "-1"/], ["#world=nowhere", /"nowhere"/],
    ["#world=<script>alert(1)</script>", /<script>/], ["#world=city&onclick=1", /"onclick"/], ["#world=city&constructor=1", /"constructor"/],
    ["#seed=3", /no world/], ["#world=map", /without its size/], ["#world=map&size=99999x99999", /size is "99999"/],
    ["#world=map&size=16000x16000", /256000000 cells/], ["#world=city&cells=<b>", /letters/], ["#hello", /name=value/],
    ["#world=map&size=3x3&costmap=0_0_0_0", /costmap is "0"/], ["#world=map&size=3x3&costmap=1_2_3", /four numbers/],
    ["#world=map&size=3x3&costmap=1_2_3_NaN", /"NaN"/], ["#world=city&costmap=1_0_0_0", /no map/], ["#world=map&size=3x3&costmap=1_1e99_0_0", /1e99/],
    [`#world=city&cells=${"a".repeat(300000)}`, /letters/], ["#world=city&planner=a;b", /"a;b"/], ["#world=city&torus=2", /torus/],
  ]) {
    assert.throws(() => readFragment(fragment), (error) => error instanceof Complaint && sentence.test(error.message), fragment);
  }
});

/** The factors that a script makes, by the rules of files/README.md, and its trips. */
function readScript(text) {
  const made = { trips: 0 };
  for (const line of text.trim().split("\n")) {
    const [word, ...rest] = line.split(" #")[0].split(" ");
    const numbers = rest.map(Number);
    if (word === "size") {
      Object.assign(made, { width: numbers[0], height: numbers[1], factors: new Uint8Array(numbers[0] * numbers[1]).fill(1) });
    } else if (word === "set") {
      const [x, y, width, height, factor] = numbers;
      for (let row = y; row < y + height; row++) {
        made.factors.fill(factor, row * made.width + x, row * made.width + x + width);
      }
    } else if (word === "plan") {
      made.trips++;
    }
  }
  return made;
}

for (const { name } of WORLDS) {
  test(`a script makes ${name} again, as its planners see it`, () => {
    const { scene, run } = sceneOf(name, { units: 6, churn: 0 });
    scene.paint([4000, 4001, 4002], "terrain", 2, 1);
    run(8);
    const told = scene.script();
    const made = readScript(scriptOf(told));
    assert.deepEqual([made.width, made.height, made.trips], [scene.width, scene.height, told.trips.length]);
    assert.ok(Buffer.from(made.factors).equals(Buffer.from(scene.traffic.factors)));
    assert.ok(name !== "costmap" || made.factors.some((factor) => factor > 50), "raised cells are raised");
    scene.close();
  });
}

for (const { name } of WORLDS) {
  test(`units walk in ${name}, and every answer costs what Dijkstra says`, () => {
    const { scene, run } = sceneOf(name, { units: 12, churn: 10, inflation: 0, radius: 0, turning: 0 });
    let checked = 0;
    for (let i = 0; i < 60; i++) {
      run(1);
      const { factors, units } = scene.traffic;
      for (const { answer } of units.slice(i % 12, (i % 12) + 1)) {
        if (answer?.version === scene.world.version && answer.outcome === "found" && answer.agent.answer() !== null) {
          const unit = scene.profile === "costmap" ? 50 : 1;
          const cost = costOf(factors, scene.width, scene.height, false, 8, answer.path[0], answer.path.at(-1));
          assert.ok(Math.abs(cost / unit - answer.cost) < 1e-6, `${cost / unit}, not ${answer.cost}`);
          checked++;
        }
      }
    }
    const walked = scene.traffic.units.filter((unit) => unit.step > 0).length;
    assert.ok(walked > 6, `${walked} of 12 walked`);
    assert.ok(checked > 0, "an answer was checked");
    scene.close();
  });
}

/** Whether a body, a little smaller than it is, lies on free cells. */
function isClear(scene, body, { x, y, yaw }) {
  const [ahead, half] = body[0].map((cells) => cells - 0.05);
  for (let along = body[1][0] + 0.05; along <= ahead; along += 0.1) {
    for (let beside = -half; beside <= half; beside += 0.1) {
      const at = [x + along * Math.cos(yaw) - beside * Math.sin(yaw), y + along * Math.sin(yaw) + beside * Math.cos(yaw)].map(Math.floor);
      if (isBlocked("play", scene.drawn[at[1] * scene.width + at[0]])) {
        return false;
      }
    }
  }
  return true;
}

test("what drives in the yard keeps to its turning radius, and its body off the walls", () => {
  const { scene, run } = sceneOf("yard", { units: 5, churn: 0, speed: 12 });
  const { turning } = scene.settings;
  const body = bodyOf(scene.settings);
  const driven = new Float64Array(5);
  let backwards = 0;
  for (let i = 0; i < 300; i++) {
    const told = run(1);
    for (const [, line, , yaws] of told.lines) {
      for (let at = 1; at < (yaws?.length ?? 0); at++) {
        const way = Math.hypot(line[2 * at] - line[2 * at - 2], line[2 * at + 1] - line[2 * at - 1]);
        const turned = Math.abs(Math.sin((yaws[at] - yaws[at - 1]) / 2)) * 2;
        assert.ok(turned <= (1.02 * way) / turning + 1e-3, `tick ${i}: ${turned} on ${way} cells`);
        backwards += (line[2 * at] - line[2 * at - 2]) * Math.cos(yaws[at]) + (line[2 * at + 1] - line[2 * at - 1]) * Math.sin(yaws[at]) < -0.01;
      }
    }
    scene.traffic.units.forEach((unit) => {
      driven[unit.number] += Math.hypot(unit.x - unit.beforeX, unit.y - unit.beforeY);
      const drives = unit.track !== null && unit.at > 0 && unit.answer.escapeSegments === 0;
      assert.ok(!drives || isClear(scene, body, unit), `tick ${i}: unit ${unit.number} at ${unit.x}, ${unit.y}, ${unit.yaw} drives through a wall`);
    });
  }
  assert.ok(driven.filter((cells) => cells > 20).length >= 3, `they drove ${driven}`);
  assert.ok(backwards > 0, "somebody backs");
  scene.close();
});

test("moving targets on a torus are followed across the edge", () => {
  const { scene, run } = sceneOf("empty", { units: 40, churn: 0, torus: true, chase: true, speed: 30 });
  run(80);
  const hunters = scene.traffic.units.filter(({ prey }) => prey !== null);
  assert.equal(hunters.length, 35);
  const near = hunters.filter((unit) => {
    const [dx, dy] = [Math.abs(unit.x - unit.prey.x) % 160, Math.abs(unit.y - unit.prey.y) % 120];
    return Math.hypot(Math.min(dx, 160 - dx), Math.min(dy, 120 - dy)) < 25;
  });
  assert.ok(near.length > 20, `${near.length} of 35 are near their target`);
  scene.close();
});

test("what if: the answer is what Dijkstra says of the building", () => {
  const random = randomOf(3);
  const { scene, run } = sceneOf("city", { units: 30, churn: 0, speed: 1 });
  run(3);
  let surprises = 0;
  for (let i = 0; i < 24; i++) {
    const place = { x: wholeOf(random, 0, 150), y: wholeOf(random, 0, 110), width: wholeOf(random, 1, 9), height: wholeOf(random, 1, 9) };
    const before = scene.world.snapshot();
    const told = new Map(scene.whatIf(place).map(({ unit, after }) => [unit, after]));
    scene.world.fillRect(place.x, place.y, place.width, place.height, materialsOf("play").building);
    scene.traffic.look();
    const { factors } = scene.traffic;
    for (const unit of scene.traffic.units) {
      const [start, goal] = [unit.cell, unit.goal].map((cell) => scene.traffic.inside(cell));
      if (factors[start[1] * 160 + start[0]] === 0) {
        continue; // it stands where the building would, and would walk out of it first
      }
      const is = costOf(factors, 160, 120, false, 8, start, goal);
      const was = costOf(before.map((byte) => (isBlocked("play", byte) ? 0 : byte)), 160, 120, false, 8, start, goal);
      const isOther = was !== null && (is === null || is > was + 1e-6);
      assert.equal(told.has(unit.number), isOther, `round ${i}, unit ${unit.number}: ${was} to ${is}`);
      if (isOther) {
        assert.ok(is === null ? told.get(unit.number) === null : Math.abs(told.get(unit.number) - is) < 1e-6);
        surprises++;
      }
    }
    scene.world.writeRect(0, 0, 160, 120, before);
  }
  assert.ok(surprises > 8, `${surprises} units were concerned`);
  scene.close();
});

test("two hundred units among changes stay within the memory that they are given", async () => {
  const small = await globalThis.replanEngine.load({ maxMemoryBytes: 48 << 20 });
  const made = makeWorld("city", 42);
  const scene = new Scene(small, made, made.data.slice(), { ...initialSettings(made), units: 200, churn: 20 }, 42);
  let answers = 0;
  for (let i = 1; i <= 400; i++) {
    const told = scene.tick(0.05, i * 50);
    assert.ok(i < 300 || told.counts.answers > answers || i % 50 !== 0, "they still get answers");
    answers = i % 50 === 0 ? told.counts.answers : answers;
  }
  assert.ok(small.memoryBytes <= 48 << 20);
  scene.close();
});

test("a stroke is undone as one, also beneath churn", () => {
  const { scene, run } = sceneOf("rooms", { units: 5, churn: 60 });
  run(20);
  const before = scene.drawn.slice();
  scene.paint([5000, 5001, 5002], "wall", 0, 1);
  scene.paint([5003, 99999999, 5004], "terrain", 2, 1);
  scene.paint([7000], "building", 0, 2);
  assert.equal(scene.drawn[7000], materialsOf("play").building);
  scene.undo();
  assert.deepEqual([...scene.drawn.subarray(5000, 5005)], [0, 0, 0, 8, 8]);
  scene.undo();
  scene.undo();
  assert.deepEqual(scene.drawn, before);
  scene.set({ ...scene.settings, churn: 0 });
  run(2);
  assert.deepEqual(scene.world.snapshot(), before);
  scene.close();
});

test("two planners have the same costs on the same changes", () => {
  for (const [name, ids] of [["rooms", ["astar", "fsa"]], ["costmap", ["dstar-lite", "astar"]], ["wilds", ["lpa", "gaa"]]]) {
    const { scene, run } = sceneOf(name, { units: 10, churn: 30 });
    run(2);
    scene.choose(scene.traffic.units.findIndex(({ state }) => state === 0));
    scene.compare(ids);
    const { rivals } = run(60);
    assert.ok(rivals.updates > 5, `${rivals.updates} updates`);
    assert.equal(rivals.equal, rivals.updates, name);
    scene.close();
  }
});

// ---- scenes

/** Every step of a scene: what each planner did. */
function playThrough(name) {
  const { script, made, settings } = stageOf(name);
  const scene = new Scene(replan, made, made.data.slice(), settings, script.seed);
  scene.staged = new Staged(scene, script);
  scene.compare(script.planners);
  const steps = [];
  for (let nowMs = 50; ; nowMs += 50) {
    const { rivals } = scene.tick(0.05, nowMs);
    steps.push(rivals);
    if (!scene.staged.next()) {
      scene.close();
      return { script, steps };
    }
  }
}

for (const { name } of SCENES) {
  test(`the scene ${name} shows what it claims`, () => {
    const { script, steps } = playThrough(name);
    assert.equal(steps.length, script.steps.length);
    steps.forEach(({ planners, updates, equal }, i) => {
      assert.equal(updates, i + 1, "each step is planned once");
      assert.equal(equal, updates, "all costs are equal");
      for (const { last, search } of planners) {
        assert.equal(last.outcome, "found");
        const { expanded, raised, levels } = countsOf(search.words);
        assert.equal(levels > 0 ? 0 : last.counted, expanded + raised, "as many cells are told as counted");
      }
      const text = script.steps[i].say(...planners.map(({ last }) => last));
      assert.doesNotMatch(text, /undefined|NaN|null/);
      const figures = planners.flatMap(({ last }) => Object.values(last)).concat(planners.reduce((sum, { last }) => sum + last.expanded + last.raised, 0), 64, i)
        .concat(planners.map(({ last }) => last.expanded + last.raised)).map(String);
      for (const [figure] of text.replaceAll(",", "").matchAll(/(?<![A-Za-z])\d+/g)) {
        assert.ok(figures.includes(figure), `"${text}" says ${figure}, which nobody counted`);
      }
    });
    assert.ok(script.holds(steps.map(({ planners }) => planners.map(({ last }) => last))), `${name} does not show what it claims`);
  });
}

test("every planner has a scene, and docs/planners.md links to each", () => {
  const docs = readFileSync(new URL("../../docs/planners.md", import.meta.url), "utf8");
  assert.deepEqual(replan.planners.map(({ id }) => id).filter((id) => !SCENES.some(({ name }) => name === id)), []);
  assert.deepEqual(SCENES.filter(({ name }) => !docs.includes(`#scene=${name})`)).map(({ name }) => name), []);
});

test("a slider goes through a search cell by cell, and through words of cells level by level", () => {
  const search = (name, i) => playThrough(name).steps.at(-1).planners[i].search.words;
  const single = search("lpa", 0);
  const { kept, words, ends } = stepsOf(single);
  const { expanded, raised, reused } = countsOf(single);
  assert.equal(kept.length, reused);
  assert.deepEqual(ends, Array.from({ length: expanded + raised }, (_, i) => i + 1));
  assert.equal(words.length, expanded + raised);
  assert.ok(kept.every((word) => !words.some((other) => cellOf(other) === cellOf(word))), "what is reused is not expanded");
  const whole = search("bpa", 0);
  const levels = stepsOf(whole);
  assert.ok(levels.ends.length <= 2 * countsOf(whole).levels && levels.ends.at(-1) === levels.words.length);
  assert.ok(levels.words.length > 4 * levels.ends.length && levels.words.every((word) => kindOf(word) === 3));
});

test("what all units search is told when it is asked for, and who is let off", () => {
  const { scene, run } = sceneOf("city", { units: 40, churn: 30 });
  assert.equal(run(5).searched, null);
  scene.showsSearches = true;
  let [words, heard] = [0, 0];
  for (let i = 0; i < 100; i++) {
    const { searched } = run(1);
    words += searched.words.length;
    heard += searched.heard.length;
    assert.equal(countsOf(searched.words).reused, 0);
    assert.ok(searched.words.every((word) => cellOf(word) === 0xfffffff || scene.world.width * scene.world.height > cellOf(word)));
  }
  assert.ok(words > 500 && heard > 20, `${words} cells, ${heard} answers`);
  assert.ok(heard < 100 * 40 / 4, "most units are let off");
  scene.close();
});
