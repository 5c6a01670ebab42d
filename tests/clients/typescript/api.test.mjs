// Every call of the package against a real daemon.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { Answer, car, Client, facing, Mirror, NoDaemon, region, ReplanError, target, v1, waypoints } from "replan";
import { Daemon } from "./daemon.mjs";

let daemon;
let client;
before(async () => {
  daemon = await Daemon.start();
  client = await Client.connect(daemon.control, { strict: true, timeoutMs: 120000 });
});
after(async () => {
  client.close();
  await daemon.stop();
});

/** A world of its own with an agent that switches at once. */
async function scene(name, options = { width: 20, height: 10 }) {
  const world = await client.createWorld(name, options);
  const scout = await world.openAgent("scout", { start: [1.5, 4.5], goal: [18.5, 4.5], switchGainPercent: 0, minIntervalMs: 0 });
  return { world, scout };
}

test("an answer has its path as cells, as points and by its bends", async () => {
  const { world, scout } = await scene("paths", { width: 20, height: 10, resolution: 1, origin: [0, 0, 0] });
  const applied = await world.fillRect(10, 0, 1, 9, 0, { wait: "settled" });
  assert.deepEqual(applied.changedAgents, ["scout"]);
  const answer = await scout.answer();
  assert.equal(answer.outcome, "found");
  assert.equal(answer.version, 2);
  assert.ok(Math.abs(answer.cost - 21.14213562373095) < 1e-9);
  assert.deepEqual([answer.path[0], answer.path.at(-1)], [[1, 4], [18, 4]]);
  assert.deepEqual([answer.points[0], answer.points.at(-1)], [[1.5, 4.5], [18.5, 4.5]]);
  assert.ok(answer.bends.length > 2 && answer.bends.length < answer.path.length);
  assert.equal(answer.line.length, 2 * answer.path.length);
  await world.fillRect(10, 9, 1, 1, 0);
  const none = await scout.answer();
  assert.deepEqual([none.outcome, none.cost, none.path, none.points, none.bends], ["no_path", null, [], [], []]);
  await world.remove();
});

test("cells are written as rectangles, as bytes and one by one, and come back by a snapshot", async () => {
  const { world } = await scene("cells");
  await world.writeRect(0, 0, 2, 2, [9, 8, 7, 6]);
  await world.setCells([[4, 1], [5, 1]], [3, 2]);
  await world.setCells([[6, 1]], 5);
  const { version } = await world.setCell(7, 1, 4);
  const bytes = await world.snapshot();
  assert.equal(version, 5);
  assert.deepEqual([...bytes.subarray(0, 2), ...bytes.subarray(20, 28)], [9, 8, 7, 6, 1, 1, 3, 2, 5, 4]);
  await world.remove();
});

test("shapes hide cells and give them back", async () => {
  const { world } = await scene("shapes");
  const blocked = async () => (await world.snapshot()).filter((byte) => byte === 0).length;
  await world.putDisc(1, 5, 5, 1, 0);
  await world.putPolygon(2, [[10, 1], [12, 1], [12, 3], [10, 3]], 0, { ttlMs: 60000 });
  assert.equal(await blocked(), 8);
  await world.overlay({ put: [{ number: 3, points: [[0.5, 0.5]], radius: 0.1, byte: 0 }], remove: [2] });
  assert.equal(await blocked(), 5);
  await world.removeShapes([3]);
  assert.equal(await blocked(), 4);
  await world.removeShapes();
  assert.equal(await blocked(), 0);
  await world.remove();
});

test("an agent with motion is told its curve", async () => {
  const world = await client.createWorld("yard", { width: 40, height: 30 });
  const truck = await world.openAgent("truck", { start: [4.5, 4.5, 0.5], goal: [30.5, 20.5], radius: 0.8, motion: car(2) });
  const answer = await truck.answer();
  const near = (one, other) => one.every((value, i) => Math.abs(value - other[i]) < 1e-6);
  assert.deepEqual(answer.poseAt(-1), [4.5, 4.5, 0.5]);
  assert.ok(near(answer.poseAt(1e9).slice(0, 2), [30.5, 20.5]));
  answer.segments.slice(1).reduce((length, { x, y }, i) => {
    const end = length + answer.segments[i].length;
    assert.ok(near(answer.poseAt(end).slice(0, 2), [x, y]));
    return end;
  }, 0);
  await truck.goto(waypoints([[20.5, 6.5], [30.5, 20.5]], 0, [0.3, 1.5]));
  const tour = await truck.answer();
  assert.deepEqual([tour.waypoint, tour.legAt.length, tour.legAt[0]], [0, 2, 0]);
  const { x, y, yaw } = tour.segments[tour.legAt[1]];
  assert.ok(near([x, y, yaw], [20.5, 6.5, 0.3]));
  await truck.goto(facing([30.5, 10.5], 1));
  const watched = await truck[Symbol.asyncIterator]().next();
  assert.ok(Math.abs(Math.sin(watched.value.poseAt(1e9)[2] - 1)) < 1e-6);
  const cart = { start: [4.5, 4.5, 0.5], goal: [30.5, 20.5], motion: car(2, { headingsMost: 8 }) };
  await assert.rejects(world.openAgent("cart", cart), /motion\.headings_most is 8/);
  const walker = await world.openAgent("walker", { start: [1.5, 1.5], goal: [5.5, 1.5] });
  assert.throws(() => new Answer({}).poseAt(1), /no segments/);
  assert.deepEqual((await walker.answer()).segments, []);
  await world.remove();
});

test("goals of every kind", async () => {
  const { world, scout } = await scene("goals");
  await scout.goto([[1.5, 8.5], [17.5, 4.5]], { goalId: 7 });
  assert.deepEqual([(await scout.answer()).cost, (await scout.answer()).goalId], [4, 7]);
  await scout.goto(waypoints([[5.5, 4.5], [9.5, 4.5]]));
  assert.deepEqual([(await scout.answer()).cost, (await scout.answer()).waypoint], [4, 0]);
  await scout.goto(region([10, 4], [12, 6]));
  assert.equal((await scout.answer()).cost, 9);
  const prey = await world.openAgent("prey", { start: [6.5, 4.5], goal: [6.5, 4.5] });
  await scout.goto(target(prey));
  assert.equal((await scout.answer()).cost, 5);
  await prey.pose(8.5, 4.5, { poseSeq: 4 });
  assert.equal((await scout.answer()).cost, 7);
  await world.poses([scout, prey], [[2.5, 4.5], [3.5, 4.5]], 9);
  assert.equal((await scout.answer()).cost, 1);
  await world.order([scout, world.agent("prey")], [[4.5, 1.5], [4.5, 2.5]], { goalId: 3 });
  assert.deepEqual([(await prey.answer()).path.at(-1), (await scout.answer()).path.at(-1)], [[4, 2], [4, 1]]);
  await prey.close();
  await assert.rejects(prey.answer(), { status: "UNKNOWN" });
  await world.remove();
});

test("questions are answered", async () => {
  const { world, scout } = await scene("questions");
  assert.deepEqual(await world.costs([[1.5, 1.5], [2.5, 1.5]], [[4.5, 1.5]]), [[3], [2]]);
  assert.deepEqual(await world.probe({ x: 10, y: 0, width: 1, height: 10, byte: 0 }, ["scout"], [[[1.5, 1.5], [3.5, 1.5]]]), [[17, null], [2, 2]]);
  const { path } = await scout.answer();
  assert.deepEqual(await scout.valid(path), { version: 1, legal: true, cost: 17, offending: [], offendingWay: [] });
  await world.setCell(3, 4, 0);
  assert.deepEqual((await scout.valid(path)).offending, [1, 2]);
  assert.equal((await world.field(scout, 1)).costs.length, 9);
  assert.deepEqual((await scout.why()).map(({ reason }) => reason).at(-1), "first");
  await world.remove();
});

test("another window moves the cells, and a mirror follows", async () => {
  const { world } = await scene("window");
  const mirror = await world.mirror();
  await mirror.follow();
  await world.setCell(3, 3, 0);
  await world.resize({ x: 2, y: 1, width: 12, height: 6, rects: [{ x: 0, y: 0, width: 2, height: 1, data: [7, 7] }], fill: 1 });
  while (mirror.version < 3) {
    await mirror.follow();
  }
  assert.deepEqual([mirror.width, mirror.height, mirror.window], [12, 6, 2]);
  assert.deepEqual([mirror.data[0], mirror.data[1], mirror.data[2 * 12 + 1]], [7, 7, 0]);
  assert.deepEqual(mirror.data, await world.snapshot());
  await world.setCells([[1, 2]], 9); // of the window that the mirror told
  await mirror.follow();
  assert.equal(mirror.data[2 * 12 + 1], 9);
  await mirror.close();
  await world.remove();
});

/** A mirror whose messages a test may change. Returns it with what became of each. */
async function bent(world, change) {
  const mirror = await world.mirror();
  const seen = [];
  mirror.take = (event) => {
    const news = Mirror.prototype.take.call(mirror, change(event) ?? event);
    seen.push(`${event.kind} ${news}`);
    return news;
  };
  return { mirror, seen };
}

test("a mirror compares the hash of the daemon, also after many changes", async () => {
  const { world } = await scene("hash", { width: 300, height: 200, fill: 255 });
  const { mirror, seen } = await bent(world, () => undefined);
  for (let i = 0; i < 20; i++) {
    await world.fillRect(7 * i, 5 * i, 90, 40, (37 * i) % 256);
  }
  for (let i = 0; i < 100 && !(mirror.version === 21 && seen.includes("head taken")); i++) {
    await mirror.follow(100);
  }
  assert.ok(seen.includes("head taken"), seen.join(", "));
  assert.ok(!seen.some((one) => /hole|differs/.test(one)), seen.join(", "));
  await mirror.close();
  await world.remove();
});

test("a mirror that missed a version, or differs, is sent anew and says so", async () => {
  const { world } = await scene("resync");
  let missing = 1;
  const { mirror, seen } = await bent(world, (event) => {
    const isMissed = event.kind === "delta" && missing-- > 0;
    return isMissed ? { kind: "ended", message: {} } : undefined;
  });
  await mirror.follow();
  await world.setCell(1, 1, 0);
  await world.setCell(2, 1, 0);
  while (mirror.version < 3 || !mirror.isWhole) {
    await mirror.follow();
  }
  assert.ok(seen.includes("delta hole") || seen.includes("head hole"), seen.join(", "));
  assert.equal(mirror.data.filter((byte) => byte === 0).length, 2);
  assert.match(mirror.lost.join(" "), /missed a version, and was sent anew/);

  const { mirror: wrong } = await bent(world, (event) => {
    const isFirst = event.kind === "chunk" && wrong.lost.length === 0;
    return isFirst ? { kind: "chunk", message: { ...event.message, data: event.message.data.map((byte, i) => (i === 0 ? 99 : byte)) } } : undefined;
  });
  while (wrong.lost.length === 0 || !wrong.isWhole) {
    await wrong.follow(5000);
  }
  assert.equal(wrong.data[0], 1);
  assert.match(wrong.lost[0], /was not what the daemon has/);
  await world.remove();
});

/** Another daemon, a client of it, and a world there; act() gets them. */
async function apart(flags, act) {
  const own = await Daemon.start(...flags);
  const mine = await Client.connect(own.control, { timeoutMs: 120000 });
  try {
    const world = await mine.createWorld("arena", { width: 20, height: 10 });
    await world.openAgent("scout", { start: [1.5, 4.5], goal: [18.5, 4.5] });
    await act({ own, mine, world });
  } finally {
    mine.close();
    await own.stop();
  }
}

test("of a world that was gone and made anew nothing is said to be there", () => apart([], async ({ own, mine, world }) => {
  const watch = await world.watch("scout");
  await watch.nextAnswer(20000);
  await own.kill();
  await own.startAgain();
  await assert.rejects(watch.nextAnswer(20000), { status: "UNKNOWN" });
  const anew = await mine.createWorld("arena", { width: 20, height: 10 });
  await anew.openAgent("scout", { start: [1.5, 4.5], goal: [18.5, 4.5] });
  assert.equal((await watch.nextAnswer(20000)).outcome, "found");
  assert.match(watch.lost[1], /made anew: what it was before is lost/);
}));

test("a break during a repair is a break, after which the mirror goes on", () => {
  const folder = mkdtempSync(join(tmpdir(), "replan-resume-"));
  return apart(["--state", join(folder, "state")], async ({ own, world }) => {
    let deltas = 0;
    const { mirror } = await bent(world, (event) => {
      deltas += event.kind === "delta" ? 1 : 0;
      if (event.kind === "delta" && deltas === 2) {
        own.process.kill("SIGSTOP"); // so that the repair is under way when the line breaks
        setTimeout(() => own.kill().then(() => own.startAgain()), 100);
      }
      return event.kind === "delta" && deltas === 1 ? { kind: "ended", message: {} } : undefined;
    });
    await mirror.follow();
    await world.setCell(1, 1, 0);
    await world.setCell(2, 1, 0);
    for (let i = 0; i < 200 && mirror.lost.length === 0; i++) {
      await mirror.follow(100);
    }
    assert.match(mirror.lost.join(" "), /the daemon was started again/);
  }).finally(() => rmSync(folder, { recursive: true }));
});

test("a watch whose reply comes late ends at the daemon", () => apart([], async ({ own, mine }) => {
  const hasty = await Client.connect(own.control, { timeoutMs: 200 });
  own.process.kill("SIGSTOP");
  await assert.rejects(hasty.world("arena").watch(), NoDaemon);
  own.process.kill("SIGCONT");
  await hasty.request({ listWorlds: {} }, 20000);
  const watches = async () => (await mine.request({ listPeers: {} })).peers.peers.reduce((sum, peer) => sum + (peer.watches ?? 0), 0);
  for (let i = 0; i < 200 && await watches() !== 0; i++) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  assert.equal(await watches(), 0);
  hasty.close();
}));

test("a watch of all tells the newest of each, and closes when its loop ends", async () => {
  const { world } = await scene("watched");
  await world.openAgent("other", { start: [1.5, 1.5], goal: [3.5, 1.5] });
  const seen = new Set();
  const watch = await world.watch();
  for await (const answer of watch) {
    seen.add(answer.agent);
    if (seen.size === 2) {
      break;
    }
  }
  await assert.rejects(watch.nextAnswer(10), { status: "CLOSED" });
  const one = await world.watch("other");
  assert.equal((await one.nextAnswer(5000)).agent, "other");
  assert.equal(await one.nextAnswer(20), null);
  await one.close();
  await world.remove();
});

test("a watch that ends with its world says so", async () => {
  const { world } = await scene("ending");
  const watch = await world.watch();
  await watch.nextAnswer(5000);
  await world.remove();
  await assert.rejects(watch.nextAnswer(5000), { status: "UNKNOWN" });
});

test("a loop says that its world was removed", async () => {
  const { world, scout } = await scene("removed");
  await assert.rejects(async () => {
    for await (const answer of scout) {
      assert.equal(answer.outcome, "found");
      await world.remove();
    }
  }, /world "removed" was removed/);
});

test("more agents are gone over than a client has watches", { timeout: 600000 }, async () => {
  const { world } = await scene("crowded");
  const agents = await Promise.all(Array.from({ length: 300 }, (_, i) =>
    world.openAgent(`a${i}`, { start: [1.5, (i % 10) + 0.5], goal: [18.5, 4.5], ...(i === 294 ? { motion: car(2) } : {}) })));
  const seen = agents.map(() => []);
  const loops = agents.map(async (agent, i) => {
    for await (const answer of agent) {
      seen[i].push(answer);
      if (answer.outcome === "no_path") {
        break;
      }
    }
  });
  while (!seen.every((answers) => answers.length > 0)) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  await world.fillRect(10, 0, 1, 10, 0);
  await Promise.all(loops);
  for (const [i, answers] of seen.entries()) {
    assert.deepEqual([...new Set(answers.map(({ agent }) => agent))], [`a${i}`]);
    assert.deepEqual([answers[0].outcome, answers.at(-1).outcome], ["found", "no_path"]);
  }
  assert.deepEqual(seen[294][0].poseAt(0), [1.5, 4.5, 0]); // by the shared watch the curve comes, too
  for (let i = 0; i < 150; i++) { // who joins gets the newest, and loops that are over leave nothing behind
    for await (const answer of agents[i]) {
      assert.deepEqual([answer.agent, answer.outcome], [`a${i}`, "no_path"]);
      break;
    }
  }
  const joined = agents.slice(0, 150).map(async (agent) => {
    for await (const answer of agent) {
      if (answer.goalId === 7) {
        return answer.agent;
      }
    }
  });
  await Promise.all(agents.slice(0, 150).map((agent) => agent.goto([2.5, 2.5], { goalId: 7 })));
  assert.deepEqual(await Promise.all(joined), agents.slice(0, 150).map(({ name }) => name));
  await world.remove();
});

test("loops whose world was lost leave no watch behind", { timeout: 600000 }, () => apart([], async ({ own, mine, world }) => {
  const agents = await Promise.all(Array.from({ length: 140 }, (_, i) =>
    world.openAgent(`a${i}`, { start: [1.5, 4.5], goal: [18.5, 4.5] })));
  const heard = new Set();
  const loops = agents.map(async (agent) => {
    for await (const answer of agent) {
      heard.add(answer.agent);
    }
  });
  while (heard.size < agents.length) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  await own.kill();
  await own.startAgain();
  const ends = await Promise.allSettled(loops);
  assert.deepEqual([...new Set(ends.map(({ reason }) => reason?.status))], ["UNKNOWN"]);
  await mine.createWorld("arena", { width: 20, height: 10 });
  for (let i = 0; i < 10; i++) { // a watch that waits looks for its world ten times a second
    const { peers } = (await mine.request({ listPeers: {} })).peers;
    assert.equal(peers.reduce((sum, peer) => sum + (peer.watches ?? 0), 0), 0);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}));

test("many requests at once are all answered, in the order of their sending where that counts", async () => {
  const { world } = await scene("many");
  const made = await Promise.all(Array.from({ length: 300 }, (_, i) => world.setCell(i % 20, 0, 1 + (i % 200))));
  assert.deepEqual(made.map(({ version }) => version), Array.from({ length: 300 }, (_, i) => i + 2));
  await world.remove();
});

test("what the calls leave out goes by request()", async () => {
  const reply = await client.request({ getStats: {} });
  assert.ok(reply.stats.names.length > 5);
  assert.deepEqual(Object.keys(await client.stats()), reply.stats.names);
  assert.equal(v1.Status[0], "OK");
});

test("an answer of a subscriber is read", () => {
  const hex = "0a056172656e61120573636f75741907000000000000002002280330054a0d0814100a19000000000000f03f50015802600169e69d3f334f50034071e69d3f334f500340785182010200018a01046175746f";
  assert.deepEqual(Answer.parse(Buffer.from(hex, "hex")).path, [[1, 4], [2, 4], [3, 5]]);
});

test("a world of more bytes than a message comes in portions", async () => {
  const data = new Uint8Array(5000 * 4400).fill(1);
  data[5000 * 4400 - 1] = 0;
  const told = [];
  const world = await client.createWorld("large", { width: 5000, height: 4400, data, progress: (done, all) => told.push(done / all) });
  assert.equal(told.at(-1), 1);
  assert.ok(told.length > 1);
  const [info] = (await client.worlds()).filter(({ name }) => name === "large");
  assert.deepEqual([info.width, info.height], [5000, 4400]);
  await world.remove();
});

test("a window of more bytes than a message comes in portions", async () => {
  const [width, height] = [5000, 4400];
  const world = await client.createWorld("wide", { width: 40, height: 30, fill: 1 });
  const scout = await world.openAgent("scout", { start: [1.5, 1.5], goal: [38.5, 1.5], leaseS: 0 });
  assert.equal((await scout.answer()).outcome, "found");
  const data = new Uint8Array(width * height).fill(1);
  data.fill(0, 1000 * width, 1001 * width); // a wall from side to side
  const told = [];
  const applied = await world.resize({ width, height, rects: [{ x: 0, y: 0, width, height, data }], wait: "settled",
    progress: (done, all) => told.push(done / all) });
  assert.equal(applied.window, 2);
  assert.equal(told.at(-1), 1);
  assert.ok(told.length > 1);
  await scout.goto([1.5, 900.5]);
  assert.equal((await scout.answer()).cost, 899);
  await scout.goto([1.5, 2000.5]);
  assert.equal((await scout.answer()).outcome, "no_path");
  await world.remove();
});

test("what a large window does not state is filled, and its rectangles follow", async () => {
  const side = 4700;
  const world = await client.createWorld("filled", { width: 40, height: 30, fill: 3 });
  const data = new Uint8Array(side * 4600).fill(2);
  await world.resize({ width: side, height: side, fill: 5, rects: [{ x: 0, y: 50, width: side, height: 4600, data }] });
  const stepsFrom = async (x, y) => (await world.costs([[x + 0.5, y + 0.5]], [[x + 1.5, y + 0.5]]))[0][0];
  const found = [];
  for (const [x, y] of [[0, 0], [38, 0], [40, 0], [0, 30], [0, 50], [0, 4649], [0, 4650]]) {
    found.push(await stepsFrom(x, y));
  }
  assert.deepEqual(found, [3, 3, 5, 5, 2, 2, 5]);
  await world.remove();
});

test("nobody there is told, and a client that was closed says so", async () => {
  await assert.rejects(Client.connect("tcp://127.0.0.1:9"), (error) => error instanceof NoDaemon && error instanceof ReplanError);
  const mine = await Client.connect(daemon.control);
  mine.close();
  mine.close();
  await assert.rejects(mine.worlds(), NoDaemon);
});

test("a client that is closed answers all that wait, also those that were not sent yet", { timeout: 60000 }, async (t) => {
  const { world, scout } = await scene("closing");
  const mine = await Client.connect(daemon.control);
  const agent = mine.world("closing").agent("scout");
  daemon.process.kill("SIGSTOP");
  t.after(() => daemon.process.kill("SIGCONT"));
  const asked = Array.from({ length: 200 }, () => agent.pose(2.5, 4.5));
  await new Promise((resolve) => setImmediate(resolve));
  mine.close();
  const told = await Promise.all(asked.map((one) => one.then(() => "taken", (error) => error)));
  daemon.process.kill("SIGCONT");
  assert.ok(told.every((one) => one instanceof NoDaemon && one.sentence === "this client was closed"), `${told[0]}`);
  assert.equal((await scout.answer()).outcome, "found");
  await world.remove();
});

test("requests that cannot be sent leave their places to those that wait", { timeout: 60000 }, async () => {
  const places = Array.from({ length: 63 }, () => client.request({ listWorlds: {} }));
  const wrong = places.map(() => client.request({ apply: { change: { world: "none", x: 1n } } }).catch((error) => error));
  const last = client.request({ listWorlds: {} });
  assert.ok((await Promise.all(wrong)).every((one) => one instanceof TypeError));
  await Promise.all([...places, last]);
});
