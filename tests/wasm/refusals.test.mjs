// Bad input: each gives a ReplanError that names the argument and the limit, and changes nothing.
import assert from "node:assert/strict";
import test from "node:test";

import { ReplanError, car, facing, load, loadSync, omni, region, spot, target, waypoints } from "replan-engine";

const replan = await load();
const world = replan.createWorld({ width: 8, height: 6 });
const agent = world.openAgent({ start: [0.5, 0.5], goal: [7.5, 0.5] });
const planner = replan.createPlanner({ width: 8, height: 6 });
const elsewhere = replan.createWorld({ width: 3, height: 3 }).openAgent({});

/** [act, argument, what the sentence says] */
const CASES = [
  [() => replan.findPath([[1, , 1]], [0, 0], [2, 0]), "matrix[0][1]", "0 and 255"],
  [() => replan.findPath([[1, 1], , [1, 1]], [0, 0], [1, 0]), "matrix[1]", "an array"],
  [() => replan.findPath([[1, 1], [1]], [0, 0], [1, 0]), "matrix[1]", "it must have 2"],
  [() => replan.findPath([[1, NaN]], [0, 0], [1, 0]), "matrix[0][1]", "NaN"],
  [() => replan.findPath([[1, 256]], [0, 0], [1, 0]), "matrix[0][1]", "255"],
  [() => replan.findPath([[1, 0.5]], [0, 0], [1, 0]), "matrix[0][1]", "whole"],
  [() => replan.findPath([[1, true]], [0, 0], [1, 0]), "matrix[0][1]", "true"],
  [() => replan.findPath([[1, "1"]], [0, 0], [1, 0]), "matrix[0][1]", "whole"],
  [() => replan.findPath([[1, { valueOf: () => 1 }]], [0, 0], [1, 0]), "matrix[0][1]", "whole"],
  [() => replan.findPath([], [0, 0], [1, 0]), "matrix", "1 to 16384"],
  [() => replan.findPath([[]], [0, 0], [1, 0]), "matrix[0]", "1 to 16384"],
  [() => replan.findPath(new Array(1e9), [0, 0], [1, 0]), "matrix", "16384"],
  [() => replan.findPath([new Array(1e9)], [0, 0], [1, 0]), "matrix[0]", "16384"],
  [() => replan.findPath("....", [0, 0], [1, 0]), "matrix", "an array"],
  [() => replan.findPath(null, [0, 0], [1, 0]), "matrix", "null"],
  [() => replan.findPath([[1, 1]], [0, 0], [2, 0]), "to[0]", "within 0 and 1"],
  [() => replan.findPath([[1, 1]], [-1, 0], [1, 0]), "from[0]", "within 0 and 1"],
  [() => replan.findPath([[1, 1]], [0], [1, 0]), "from", "[x, y]"],
  [() => replan.findPath([[1, 1]], { x: 0, y: 0 }, [1, 0]), "from", "an array"],
  [() => replan.findPath([[1, 1]], [0, 0], [1, 0], { neighbours: 4 }), "options.neighbours", "neighbors"],
  [() => replan.findPath([[1, 1]], [0, 0], [1, 0], { neighbors: 6 }), "options.neighbors", "4, 8"],
  [() => replan.findPath([[1, 1]], [0, 0], [1, 0], { wraps: true }), "options.wraps", "3 x 3"],
  [() => replan.findPath([[1, 1]], [0, 0], [1, 0], { planner: "astr" }), undefined, "astr"],
  [() => replan.createPlanner({ width: 1e9, height: 3 }), "options.width", "16384"],
  [() => replan.createPlanner({ width: 16384, height: 16384 }), "options", "67108864"],
  [() => replan.createPlanner({ height: 3 }), "options.width", "undefined"],
  [() => replan.createPlanner({ width: 2, height: 2, data: [1, 1, 1] }), "options.data", "it must have 4"],
  [() => replan.createPlanner({ width: 2, height: 2, data: [1, 1, 1, 300] }), "options.data[3]", "255"],
  [() => replan.createPlanner({ width: 2, height: 2, fill: -1 }), "options.fill", "255"],
  [() => replan.createPlanner({ width: 9, height: 9, neighbors: 4, planner: "\0" }), "options.planner", "character 0"],
  [() => replan.createPlanner(7), "options", "an object"],
  [() => planner.plan(), undefined, "setStart() and setGoal()"],
  [() => planner.plan(-1), "budget", "0 and"],
  [() => planner.setStart([8, 0]), "start[0]", "0 and 7"],
  [() => planner.setGoals([]), "goals", "1 to 4096"],
  [() => planner.setGoals([[1, 1], [1, 1]]), "goals[1]", "once"],
  [() => planner.setGoals([[1, 1, -1]]), "goals[0][2]", "4294967295"],
  [() => planner.setCells([[1, 1], [1, 1]], 0), "cells", "twice"],
  [() => planner.setCells([[1, 1], [2, 1]], [0]), "byte", "it must have 2"],
  [() => planner.fillRect(0, 0, 9, 1, 0), "width", "1 and 8"],
  [() => planner.fillRect(7, 5, 1, 2, 0), "height", "1 and 1"],
  [() => planner.fillRect(0, 0, 1, 1), "byte", "undefined"],
  [() => planner.writeRect(0, 0, 2, 2, new Uint8Array(5)), "data", "it must have 4"],
  [() => replan.createWorld({ width: 8, height: 6, resolution: 0 }), "options.resolution", "at least"],
  [() => replan.createWorld({ width: 8, height: 6, origin: [NaN, 0] }), "options.origin[0]", "NaN"],
  [() => replan.createWorld({ width: 8, height: 6, profile: "water" }), undefined, "water"],
  [() => replan.createWorld({ width: 8, height: 6, profiles: [{ name: "" }] }), undefined, "profile"],
  [() => replan.createWorld({ width: 8, height: 6, profiles: [{ name: "a", factors: [1] }] }), "options.profiles[0].factors", "256"],
  [() => replan.createWorld({ width: 8, height: 6, profiles: [{ name: "a", unknown: "sea" }] }), "options.profiles[0].unknown", "free"],
  [() => replan.createWorld({ width: 8, height: 6, wraps: 1 }), "options.wraps", "true or false"],
  [() => world.setCell(8, 0, 0), "x", "0 and 7"],
  [() => world.setCells([[0, 6]], 0), "cells[0][1]", "0 and 5"],
  [() => world.fillRect(0.5, 0, 1, 1, 0), "x", "whole"],
  [() => world.fillRect(0, 0, 1, 1, 256), "byte", "255"],
  [() => world.putDisc(1, NaN, 0, 1, 0), "shapes.put[0].points[0][0]", "finite"],
  [() => world.putDisc(1, 0, 0, -1, 0), "shapes.put[0].radius", "at least 0"],
  [() => world.putPolygon(1, [[0, 0], [1, 1]], 0), "points", "3 to 64"],
  [() => world.putPolygon(1, Array.from({ length: 65 }, () => [0, 0]), 0), "points", "3 to 64"],
  [() => world.putDisc(1, 0, 0, 1, 0, { ttl: 3 }), "shapes.put[0].ttl", "ttlMs"],
  [() => world.overlay({ put: [{ number: -1, points: [[0, 0]], byte: 0 }] }), "shapes.put[0].number", "4294967295"],
  [() => world.removeShapes(["a"]), "shapes.remove[0]", "whole"],
  [() => world.resize({ width: 0 }), "options.width", "16384"],
  [() => world.resize({ x: 1, origin: [0, 0] }), "options.origin", "one of them"],
  [() => world.stage({ x: 0, y: 0, width: 9, height: 1, byte: 0 }), "change.width", "1 and 8"],
  [() => world.stage({ x: 0, y: 0, width: 1, height: 1 }), "change.byte", "undefined"],
  [() => world.stage({ cells: [[1, 1]], byte: 1 }), "change.cells", "no option"],
  [() => world.resize({ width: 9, rects: [{ x: 8, y: 0, width: 2, height: 1, data: [1, 1] }] }), "options.rects[0].width", "1 and 1"],
  [() => world.resize({ width: 9, rects: [{ x: 8, y: 0, width: 1, height: 6, data: [1] }] }), "options.rects[0].data", "6"],
  [() => world.resize({ rects: Array(1025).fill({ x: 0, y: 0, width: 1, height: 1, data: [1] }) }), "options.rects", "1024"],
  [() => agent.valid([]), "path", "1 to"],
  [() => agent.valid([[0, 6]]), "path[0][1]", "0 and 5"],
  [() => agent.valid([[0, 0]], [[9, 0]]), "way[0][0]", "0 and 7"],
  [() => world.openAgent({ gaol: [1, 1] }), "options.gaol", "goal"],
  [() => world.openAgent({ planner: "nope" }), undefined, "nope"],
  [() => world.openAgent({ profile: "nope" }), undefined, "agent"],
  [() => world.openAgent({ radius: -1 }), "options.radius", "at least 0"],
  [() => world.openAgent({ cells: 65 }), "options.cells", "0 and 64"],
  [() => world.openAgent({ cells: 2, radius: 1 }), "options.cells", "must be 0"],
  [() => world.openAgent({ radius: 1e9 }), undefined, "agent"],
  [() => world.openAgent({ switchGainPercent: 101 }), "options.switchGainPercent", "0 and 100"],
  [() => world.openAgent({ start: [1, Infinity] }), "options.start[1]", "finite"],
  [() => world.openAgent({ goal: [] }), "options.goal", "1 to 4096"],
  [() => world.openAgent({ goal: "home" }), "options.goal", "waypoints()"],
  [() => world.openAgent({ motion: 2 }), "options.motion", "car(), spot() and omni()"],
  [() => world.openAgent({ motion: car(0) }), "motion", "spot()'s"],
  [() => world.openAgent({ motion: car(2), start: [1, 1] }), "options.start", "[x, y, yaw]"],
  [() => world.openAgent({ motion: car(2), radius: 65 }), "options.radius", "64 cells"],
  [() => world.openAgent({ motion: car(2, { headings: 12 }) }), "motion", "8, 16, 32 or 64"],
  [() => world.openAgent({ motion: car(1), radius: 5 }), "motion", "twice the body's radius"],
  [() => world.openAgent({ motion: car(1), footprint: [[0, 0], [1, 1]] }), "options.footprint", "3 to 16"],
  [() => world.openAgent({ motion: car(1), footprint: [[1, 1], [2, 1], [2, 2]] }), "options.footprint", "origin"],
  [() => world.openAgent({ motion: car(1), radius: 1, footprint: [[1, 1], [-1, 1], [0, -1]] }), "options.footprint", "two bodies"],
  [() => world.openAgent({ footprint: [[1, 1], [-1, 1], [0, -1]] }), "options.footprint", "motion"],
  [() => car(-1), "turningRadius", "at least 0"],
  [() => car(1, { turn: 1 }), "options.turn", "no option"],
  [() => car(1, { boundPercent: 51 }), "options.boundPercent", "0 and 50"],
  [() => omni({ reverse: true }), "options.reverse", "no option"],
  [() => spot(1, { reverse: 1 }), "options.reverse", "true or false"],
  [() => facing([[1, 1], [2, 2]], [1, 2, 3]), "yaw", "for each of the 2"],
  [() => facing(target(agent), 1), "place", "an array"],
  [() => agent.goto([1, 2, 3]), "goal", "[x, y]"],
  [() => agent.goto([1, 2], { goalId: 0.5 }), "options.goalId", "whole"],
  [() => agent.goto(target(elsewhere)), "goal", "of this world"],
  [() => agent.goto(target(agent)), undefined, "goal"],
  [() => agent.pose(0, NaN), "y", "NaN"],
  [() => waypoints([]), "points", "1 to 4096"],
  [() => waypoints([[1, 1]], 1), "first", "0 and 0"],
  [() => region([0, 0]), "opposite", "an array"],
  [() => world.order([], [1, 1]), "agents", "1 to 4096"],
  [() => world.order([elsewhere], [1, 1]), "agents[0]", "of this world"],
  [() => world.order([agent], [[1, 1], [2, 2]]), "place", "1 to 1"],
  [() => world.step(NaN), "budget", "whole"],
  [() => world.step(1, -1), "nowMs", "0 and"],
  [() => world.costs([], [[1, 1]]), "sources", "1 to 4096"],
  [() => world.probe({ x: 0, y: 0, width: 9, height: 1, byte: 0 }, [agent]), "width", "1 and 8"],
  [() => world.probe({ x: 0, y: 0, width: 1, height: 1, fill: 0 }, [agent]), "change.fill", "byte"],
  [() => world.probe({ cells: [[0, 0]], byte: 0 }, ["scout"]), "agents[0]", "of this world"],
  [() => world.field(agent, 65), "reach", "0 and 64"],
  [() => replan.readMap(new Uint8Array(4), "a.png"), "bytes", "a.png:1"],
  [() => replan.readMap(new Uint8Array(0), "a.png"), "bytes", "a.png"],
  [() => replan.readMap("a.png"), "bytes", "an array"],
  [() => replan.readMap(new TextEncoder().encode("image: a.pgm\nresolution: 1\norigin: [0, 0, 0]\n"), "a.yaml"), "bytes", "a.yaml"],
  [() => replan.writeMap({ width: 2, height: 2, data: [1] }, "a.map"), "map.data", "it must have 4"],
  [() => loadSync("replan.wasm"), "wasm", "bytes"],
  [() => loadSync(new Uint8Array(8)), "wasm", "replan.wasm"],
  [() => loadSync(new Uint8Array(8), { maxMemoryBytes: 1e9 + 0.5 }), "options.maxMemoryBytes", "4194304 and 4294967296"],
];

CASES.forEach(([act, argument, words]) => {
  const source = act.toString().replace(/^\(\) => /, "");
  test(`${source} is refused by name`, () => {
    const before = [world.version, world.agents.length, world.snapshot().join()];
    assert.throws(act, (error) => {
      assert.ok(error instanceof ReplanError, String(error.stack));
      assert.equal(error.argument, argument);
      assert.ok(error.sentence.includes(words), `"${error.sentence}" says ${words}`);
      return true;
    });
    assert.deepEqual([world.version, world.agents.length, world.snapshot().join()], before);
  });
});

test("everything goes on after all that", () => {
  world.step();
  assert.equal(agent.answer().cost, 7);
});
