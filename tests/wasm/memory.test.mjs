// Memory that ends: an exception with a sentence, and the module goes on.
import assert from "node:assert/strict";
import test from "node:test";

import { ReplanError, load } from "replan-engine";

const MIB = 1 << 20;
const isShort = (error) => error instanceof ReplanError && error.status === "MEMORY" && error.sentence.includes("close worlds");

/** A module with 4 MiB, whose lack of memory has many places to show. */
const small = (mib = 4) => load({ maxMemoryBytes: mib * MIB });

test("worlds, planners and maps that do not fit are refused, and what fits works", async () => {
  const replan = await small();
  assert.throws(() => replan.createWorld({ width: 4000, height: 4000 }), isShort);
  assert.throws(() => replan.createPlanner({ width: 2000, height: 2000 }), isShort);
  assert.throws(() => replan.readMap(new TextEncoder().encode(`${".".repeat(2999)}\n`.repeat(2999)), "a.txt"), isShort);
  assert.equal(replan.findPath([[1, 1]], [0, 0], [1, 0]).cost, 1);
  assert.ok(replan.memoryBytes <= 4 * MIB);
});

test("planners are opened until memory ends; closed ones make room", async () => {
  const replan = await small();
  const planners = [];
  assert.throws(() => {
    for (;;) {
      planners.push(replan.createPlanner({ width: 60, height: 60, planner: "lpa" }));
    }
  }, isShort);
  const { length } = planners;
  assert.ok(length > 1);
  for (let round = 0; round < 5; round++) {
    planners.forEach((planner) => planner.close());
    planners.length = 0;
    for (let i = 0; i < length; i++) {
      planners.push(replan.createPlanner({ width: 60, height: 60, planner: "lpa" }));
    }
  }
  planners.forEach((planner) => {
    planner.setStart([0, 0]);
    planner.setGoal([59, 59]);
    assert.ok(Math.abs(planner.plan().cost - 59 * Math.SQRT2) < 1e-9);
  });
});

test("agents whose planners do not fit side by side are planned for one after the other", async () => {
  const replan = await small(8);
  const world = replan.createWorld({ width: 200, height: 200 });
  const agents = Array.from({ length: 10 }, (_, i) =>
    world.openAgent({ start: [i + 0.5, 0.5], goal: [199.5 - i, 199.5], planner: "gaa" }));
  for (let round = 0; round < 3; round++) {
    world.fillRect(100, 50, 1, 100, round % 2);
    world.step();
    agents.forEach((agent) => assert.equal(agent.answer().outcome, "found"));
  }
  world.close();
});

test("what is in use is counted whole, and given back whole", async () => {
  const replan = await load();
  const use = () => {
    const world = replan.createWorld({ width: 256, height: 256, data: new Uint8Array(65536).fill(1) });
    const agents = ["dstar-lite", "lpa", "auto", "gaa"].map((planner, i) =>
      world.openAgent({ start: [i + 0.5, 0.5], goal: [250.5 - i, 255.5], planner, radius: i % 2 }));
    world.step();
    world.putDisc(1, 90, 90, 20, 0, { ttlMs: 5 });
    world.step(Infinity, performance.now());
    world.probe({ x: 100, y: 100, width: 9, height: 9, byte: 0 }, agents);
    const planner = replan.createPlanner({ width: 99, height: 99, planner: "jps" });
    planner.setStart([0, 0]);
    planner.setGoal([98, 98]);
    planner.plan();
    replan.readMap(new TextEncoder().encode("...\n...\n"), "a.txt");
    const [inUse, { ground, sessions, search }] = [replan.heapBytes, world.memory()];
    planner.close();
    world.close();
    return { inUse, told: ground + sessions + search };
  };
  use(); // what is made once
  const before = replan.heapBytes;
  const { inUse, told } = use();
  assert.ok(inUse - before > told, `${inUse - before} are in use, ${told} by the engine's count`);
  assert.ok(inUse <= replan.memoryBytes);
  assert.ok(inUse > 0.5 * replan.memoryBytes, `${inUse} of ${replan.memoryBytes}: what the memory grew for`);
  assert.equal(replan.heapBytes, before);
});

test("search state that fills the memory leaves room for what comes between steps", async () => {
  for (let pages = 90; pages < 190; pages += 3) { // how much is left over is another each time
    const replan = await load({ maxMemoryBytes: pages * 65536 });
    const world = replan.createWorld({ width: 200, height: 200 });
    const agents = ["lpa", "gaa", "astar", "lpa", "gaa"].map((planner, i) =>
      world.openAgent({ start: [i + 0.5, 0.5], goal: [190.5 - 2 * i, 199.5], planner }));
    for (let round = 0; round < 4; round++) {
      world.fillRect(round * 40, 50, 1, 100, 0);
      world.step();
      assert.equal(agents[round].factors()[50 * 200 + round * 40], 0, `${pages} pages, round ${round}`);
    }
    world.close();
  }
});

test("an agent whose planner does not fit at all waits, and the rest goes on", async () => {
  const replan = await small();
  const world = replan.createWorld({ width: 300, height: 300 });
  const agent = world.openAgent({ start: [0.5, 0.5], goal: [299.5, 299.5], planner: "gaa" });
  assert.throws(() => world.step(), isShort);
  assert.equal(agent.answer(), null);
  assert.throws(() => world.step(10), isShort);
  agent.close();
  assert.deepEqual(world.step(), []);
  world.close();
  const other = replan.createWorld({ width: 100, height: 100 });
  other.openAgent({ start: [0.5, 0.5], goal: [99.5, 99.5], planner: "gaa" });
  assert.equal(other.step().length, 1);
  other.close();
});

// Each call in turn meets a memory that ends at another place: blocks of falling size fill it up to a few bytes.
test("a thousand calls with little memory left are refused or right", async () => {
  const replan = await small();
  const free = replan.createWorld({ width: 64, height: 64 });
  let refused = 0;
  let seed = 1;
  const chance = (limit) => {
    seed = (seed * 1103515245 + 12345) % 2 ** 31;
    return Math.floor((seed / 2 ** 31) * limit);
  };
  const held = [];
  for (let round = 0; round < 1000; round++) {
    try {
      const kind = chance(6);
      const x = chance(60);
      const y = chance(60);
      if (kind === 0) {
        held.push(replan.createPlanner({ width: 30 + chance(200), height: 30 + chance(200), planner: "astar" }));
      } else if (kind === 1) {
        held.push(replan.createWorld({ width: 30 + chance(300), height: 30 + chance(300) }));
      } else if (kind === 2) {
        held.push(free.openAgent({ start: [x + 0.5, y + 0.5], goal: [63 - x, y + 0.5], radius: chance(3), planner: "dstar-lite" }));
      } else if (kind === 3) {
        free.fillRect(x, y, 1 + chance(4), 1 + chance(4), chance(3));
      } else if (kind === 4) {
        free.putDisc(chance(50), x, y, chance(6), chance(2));
      } else {
        free.probe({ x, y, width: 4, height: 4, byte: 0 }, free.agents.slice(0, 5));
      }
      free.step(Infinity, round);
    } catch (error) {
      assert.ok(error instanceof ReplanError && ["MEMORY", "INVALID", "LIMIT"].includes(error.status), `${round}: ${error.stack}`);
      refused += error.status === "MEMORY";
      held.splice(0, 1 + chance(held.length)).forEach((one) => one.close());
    }
  }
  assert.ok(refused > 20, `${refused} were refused`);
  held.forEach((one) => one.close());
  const agent = free.openAgent({ start: [0.5, 0.5], goal: [63.5, 0.5] });
  free.removeShapes();
  free.fillRect(0, 0, 64, 64, 1);
  free.step(Infinity, 2000);
  assert.equal(agent.answer().cost, 63);
});
