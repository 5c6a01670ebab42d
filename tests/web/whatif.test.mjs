// What if? A thousand buildings: what is told before one is placed is what placing it shows.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import test from "node:test";

globalThis.replanEngine = createRequire(import.meta.url)("../../build/wasm/traced/replan-engine.cjs");
const replan = await globalThis.replanEngine.load();
const { randomOf, wholeOf } = await import("../../play/random.js");
const { Scene } = await import("../../play/scene.js");
const { initialSettings } = await import("../../play/settings.js");

const CASES = 1000;
const EACH = 10; // cases in one world

/** A world with walls, and terrain of which a planner sees the weights; some are costmaps. */
function worldOf(random) {
  const [width, height] = [wholeOf(random, 20, 44), wholeOf(random, 16, 36)];
  const isCostmap = random() < 0.25;
  const [free, wall, terrain] = isCostmap ? [0, 254, [60, 130, 220]] : [1, 0, [2, 4, 8]];
  const share = 0.04 + 0.14 * random();
  const data = Uint8Array.from({ length: width * height }, () => (random() < share ? wall
    : random() < 0.2 ? terrain[wholeOf(random, 0, 2)] : free));
  return { name: "map", title: "random", width, height, data, profile: isCostmap ? "costmap" : "play", resolution: isCostmap ? 0.05 : 1 };
}

/** What each unit says now: cost, or null without a path. */
function lookAt(scene) {
  scene.world.step(Infinity, 1000);
  return scene.traffic.units.map(({ agent }) => {
    const answer = agent.answer();
    assert.ok(answer !== null, "it is sure");
    return answer.cost;
  });
}

/** A place for a building; on a unit or its goal as often as not. */
function placeOf(random, scene) {
  const [width, height] = [wholeOf(random, 1, 9), wholeOf(random, 1, 9)];
  const unit = scene.traffic.units[wholeOf(random, 0, scene.traffic.units.length - 1)];
  const [aimX, aimY] = random() < 0.3 ? scene.traffic.inside(unit.cell) : random() < 0.3 ? scene.traffic.inside(unit.goal)
    : [wholeOf(random, 0, scene.width - 1), wholeOf(random, 0, scene.height - 1)];
  const within = (value, most) => Math.min(Math.max(value, 0), most);
  return {
    x: within(aimX - wholeOf(random, 0, width), scene.width - width), y: within(aimY - wholeOf(random, 0, height), scene.height - height),
    width, height,
  };
}

test(`what if is what building it shows, ${CASES} random cases`, () => {
  const met = { lost: 0, dearer: 0, same: 0, under: 0, body: 0, inflated: 0, torus: 0, target: 0 };
  for (let seed = 0; seed < CASES / EACH; seed++) {
    const random = randomOf(seed);
    const made = worldOf(random);
    const radius = random() < 0.5 ? 0 : wholeOf(random, 1, 2);
    const settings = {
      ...initialSettings(made), units: wholeOf(random, 1, 10), churn: 0, speed: wholeOf(random, 1, 30), torus: random() < 0.35, corners: random() < 0.7,
      radius, inflation: random() < 0.3 ? radius + wholeOf(random, 1, 4) : 0, chase: random() < 0.2,
    };
    const scene = new Scene(replan, made, made.data.slice(), settings, seed);
    for (let i = 1; i <= 12; i++) {
      scene.tick(0.05, 50 * i); // they are on their ways, between cells
    }
    for (let i = 0; i < EACH; i++) {
      const before = lookAt(scene);
      const place = placeOf(random, scene);
      const told = new Map(scene.whatIf(place).map(({ unit, before: was, after }) => [unit, [was, after]]));
      const cells = Array.from({ length: place.width * place.height }, (_, n) => (place.y + Math.floor(n / place.width)) * scene.width + place.x + (n % place.width));
      scene.paint(cells, "building", 0, seed * EACH + i);
      const after = lookAt(scene);
      before.forEach((was, unit) => {
        const is = after[unit];
        const isTold = was !== null && (is === null || is > was + 1e-6);
        const label = `seed ${seed}, case ${i}, unit ${unit}: built ${was} to ${is}, told ${told.get(unit)}; ${JSON.stringify({ ...settings, profile: made.profile, place })}`;
        assert.equal(told.has(unit), isTold, label);
        if (isTold) {
          const [toldWas, toldIs] = told.get(unit);
          assert.ok(Math.abs(toldWas - was) < 1e-6 && (is === null ? toldIs === null : Math.abs(toldIs - is) < 1e-6), label);
        }
        met[!isTold ? "same" : is === null ? "lost" : "dearer"]++;
        const { traffic } = scene;
        const cell = traffic.inside(traffic.units[unit].cell);
        met.under += cells.includes(cell[1] * scene.width + cell[0]) ? 1 : 0;
        met.target += traffic.units[unit].prey !== null ? 1 : 0;
      });
      met.body += settings.radius > 0 ? 1 : 0;
      met.inflated += settings.inflation > 0 && made.profile === "costmap" ? 1 : 0;
      met.torus += settings.torus ? 1 : 0;
      if (random() < 0.6) {
        scene.undo();
      }
    }
    scene.close();
  }
  console.log(`  ${Object.entries(met).map(([name, count]) => `${name} ${count}`).join(", ")}`);
  Object.entries(met).forEach(([name, count]) => assert.ok(count > 50, `${name}: ${count}`));
});
