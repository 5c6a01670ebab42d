// Wrong arguments: each is a ReplanError that names the field and, where there is one, the limit.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Client, region, ReplanError, target, waypoints } from "replan";
import { Daemon } from "./daemon.mjs";

let daemon;
let client;
let world;
let scout;
before(async () => {
  daemon = await Daemon.start();
  client = await Client.connect(daemon.control, { strict: true });
  world = await client.createWorld("arena", { width: 20, height: 10 });
  scout = await world.openAgent("scout", { start: [1.5, 4.5], goal: [18.5, 4.5] });
});
after(async () => {
  client.close();
  await daemon.stop();
});

const create = (options) => () => client.createWorld("new", { width: 4, height: 4, ...options });
const open = (options) => () => world.openAgent("new", { start: [1.5, 1.5], goal: [2.5, 2.5], ...options });

// What is called, the field that the sentence names, and the limit in it.
const KINDS = [
  [() => Client.connect(7403), "control", "a string"],
  [() => Client.connect("127.0.0.1:7403"), "control", "no scheme"],
  [() => Client.connect("http://127.0.0.1"), "control", "tcp:// and ipc://"],
  [() => Client.connect(daemon.control, { timeoutMs: -1 }), "options.timeoutMs", "3600000"],
  [() => Client.connect(daemon.control, { timeout: 1 }), "options.timeout", "timeoutMs, strict"],
  [() => Client.connect(daemon.control, { strict: 1 }), "options.strict", "true or false"],
  [() => client.createWorld(7, { width: 4, height: 4 }), "name", "32"],
  [() => client.createWorld("", { width: 4, height: 4 }), "name", "1 to 32"],
  [() => client.createWorld("a b", { width: 4, height: 4 }), "name", "A-Z"],
  [() => client.createWorld("arena", { width: 4, height: 4 }), "arena", ""],
  [() => client.createWorld("new"), "options", "an object"],
  [() => client.createWorld("new", { height: 4 }), "options.width", "16384"],
  [create({ width: 0 }), "options.width", "16384"],
  [create({ width: 2.5 }), "options.width", "a whole number"],
  [create({ height: 16385 }), "options.height", "16384"],
  [create({ width: 16384, height: 16384 }), "options", "267911424"],
  [create({ data: [1, 2] }), "options.data", "16"],
  [create({ data: new Array(16).fill(256) }), "options.data[0]", "255"],
  [create({ data: new Uint8Array(16), fill: 1 }), "options.fill", "one of the two"],
  [create({ fill: 256 }), "options.fill", "255"],
  [create({ matrix: [[1, 1], [1]] }), "options.matrix[1]", "2"],
  [create({ matrix: [[1, "x"]] }), "options.matrix[0][1]", "255"],
  [create({ resolution: 0 }), "options.resolution", "10000"],
  [create({ resolution: NaN }), "options.resolution", "10000"],
  [create({ origin: [1] }), "options.origin", "2 to 3"],
  [create({ origin: [2e9, 0, 0] }), "options.origin[0]", "1000000000"],
  [create({ neighbors: 6 }), "options.neighbors", "4 or 8"],
  [create({ wraps: "yes" }), "options.wraps", "true or false"],
  [create({ wraps: true, width: 2 }), "width", "3"],
  [create({ profile: "unheard" }), "profile", "costmap"],
  [create({ profiles: [{ name: "x", factors: [1] }] }), "options.profiles[0].factors", "256"],
  [create({ profiles: [{ name: "x", unknown: 0 }] }), "options.profiles[0].unknown", "255"],
  [create({ profiles: [{ name: "x", like: "y" }] }), "options.profiles[0].like", "costmap"],
  [create({ expectEveryMs: -1 }), "options.expectEveryMs", "4294967295"],
  [create({ colour: "red" }), "options.colour", "resolution"],
  [create({ progress: 3 }), "options.progress", "a function"],
  [() => world.fillRect(-1, 0, 1, 1, 0), "x", "16383"],
  [() => world.fillRect(0, NaN, 1, 1, 0), "y", "16383"],
  [() => world.fillRect(0, 0, 0, 1, 0), "width", "16384"],
  [() => world.fillRect(0, 0, 1, 1, 256), "byte", "255"],
  [() => world.fillRect(19, 0, 2, 1, 0), "2 x 1", "20 x 10"],
  [() => world.fillRect(0, 0, 1, 1, 0, { wait: "soon" }), "options.wait", "settled"],
  [() => world.writeRect(0, 0, 2, 2, [1]), "data", "4"],
  [() => world.writeRect(0, 0, 2, 2, "abcd"), "data", "an array"],
  [() => world.setCells([[20, 0]], 0), "cells[0][0]", "19"],
  [() => world.setCells([[0]], 0), "cells[0]", "[x, y]"],
  [() => world.setCells([[0, 0]], [1, 2]), "byte", "1"],
  [() => world.putDisc(-1, 1, 1, 1, 0), "number", "4294967295"],
  [() => world.putDisc(1, Infinity, 1, 1, 0), "x", "1000000000"],
  [() => world.putDisc(1, 1, 1, -1, 0), "radius", "1000000000"],
  [() => world.putDisc(1, 1, 1, 1, 0, { ttlMs: 1.5 }), "ttlMs", "4294967295"],
  [() => world.putPolygon(1, [[0, 0], [1, 1]], 0), "points", "3 to 64"],
  [() => world.removeShapes(["x"]), "numbers[0]", "4294967295"],
  [() => world.overlay({ add: [] }), "shapes.add", "put, remove, clear"],
  [() => world.overlay({ put: [{ number: 1, points: [[0, 0], [1, 1]], byte: 0 }] }), "shapes.put[0].points", "3 to 64"],
  [() => world.resize({ width: 0 }), "options.width", "16384"],
  [() => world.resize({ width: 9, progress: 1 }), "options.progress", "a function"],
  [() => world.resize({ x: 1, origin: [0, 0] }), "options.origin", "excludes x"],
  [() => world.resize({ rects: [{ x: 0, y: 0, width: 21, height: 1, data: [] }] }), "options.rects[0].width", "20"],
  [() => world.openAgent("a/b", { start: [1, 1], goal: [2, 2] }), "name", "A-Z"],
  [open({ start: [1] }), "options.start", "2 to 3"],
  [open({ start: ["1", 1] }), "options.start[0]", "1000000000"],
  [open({ goal: "there" }), "options.goal", "waypoints()"],
  [open({ goal: [] }), "options.goal", "1 to 4096"],
  [open({ goal: [[1, 1], [1]] }), "options.goal[1]", "[x, y]"],
  [open({ planner: "magic" }), "planner", "magic"],
  [open({ planner: 7 }), "options.planner", "a string"],
  [open({ profile: "unheard" }), "unheard", ""],
  [open({ radius: -1 }), "options.radius", "1000000"],
  [open({ inflationRadius: NaN }), "options.inflationRadius", "1000000"],
  [open({ inscribedRadius: 2 }), "inscribed_radius_m", "inflation"],
  [open({ cells: 65 }), "options.cells", "64"],
  [open({ tolerance: -1 }), "options.tolerance", "1000000"],
  [open({ nearest: 1 }), "options.nearest", "true or false"],
  [open({ goalId: 2 ** 60 }), "options.goalId", "9007199254740991"],
  [open({ switchGainPercent: 101 }), "options.switchGainPercent", "100"],
  [open({ minIntervalMs: 86400001 }), "options.minIntervalMs", "86400000"],
  [open({ leaseS: 0.5 }), "options.leaseS", "86400"],
  [open({ mayWait: "no" }), "options.mayWait", "true or false"],
  [open({ speed: 1 }), "options.speed", "radius"],
  [() => scout.pose("1", 1), "x", "1000000000"],
  [() => scout.pose(1, 1, { poseSeq: -1 }), "options.poseSeq", "9007199254740991"],
  [() => scout.goto([2e9, 0]), "goal[0]", "1000000000"],
  [() => world.agent("scuot").goto([1, 1]), "scuot", ""],
  [() => world.agent("scuot").answer(), "scuot", ""],
  [() => scout.valid([]), "path", "1 cell"],
  [() => scout.valid([[1, 1], [5, 5]]), "path[1]", "neighbour"],
  [() => scout.valid([[1, 1]], [[1, 99]]), "way[0][1]", "9"],
  [() => scout.field(65), "reach", "64"],
  [() => world.order([], [1, 1]), "agents", "1 to"],
  [() => world.order(["scout"], [1, 1]), "agents[0]", "an Agent"],
  [() => world.order([scout], [[1, 1], [2, 2]]), "place", "1 agents"],
  [() => world.poses([scout], []), "places", "1 agents"],
  [() => world.poses([world.agent("scout")], [[1, 1]]), "agents[0]", "openAgent()"],
  [() => world.watch("scuot"), "scuot", ""],
  [() => world.watch([7]), "agents[0]", "32"],
  [() => world.watch(null, { splices: 1 }), "options.splices", "true or false"],
  [() => world.mirror({ resume: 0 }), "options.resume", "true or false"],
  [() => client.world("nowhere").mirror(), "nowhere", ""],
  [() => client.world("nowhere").fillRect(0, 0, 1, 1, 0), "nowhere", ""],
  [() => world.costs([[1, 1]], [[1]]), "targets[0]", "[x, y]"],
  [() => world.costs([], [[1, 1]]), "sources", "1 to"],
  [() => world.probe({ x: 0, y: 0, width: 1, height: 1, byte: -1 }), "change.byte", "255"],
  [() => world.probe({ x: 0, y: 0, width: 1, height: 1, byte: 0 }, [], [[[1, 1]]]), "pairs[0]", "2 to 2"],
  [() => client.request(null), "body", "an object"],
  [() => client.request({ getStats: {} }, -5), "timeoutMs", "3600000"],
  [() => waypoints([]), "points", "1 to 4096"],
  [() => waypoints([[1, 1]], 1), "first", "0 and 0"],
  [() => region([1, 1], [1]), "opposite", "[x, y]"],
  [() => target(""), "agent", "1 to 32"],
];

test(`${KINDS.length} kinds of wrong arguments are refused by name and limit`, async () => {
  assert.ok(KINDS.length >= 60);
  for (const [call, field, limit] of KINDS) {
    const error = await (async () => call())().then(() => null, (told) => told);
    assert.ok(error instanceof ReplanError, `${call}: ${error}`);
    assert.ok(error.sentence.includes(field) && error.sentence.includes(limit), `${call}: ${error.sentence}`);
  }
});

test("after all of them the client works", async () => {
  assert.equal((await scout.answer()).outcome, "found");
});
