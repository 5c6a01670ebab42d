// What the package does: each call once, on worlds small enough to see the path.
import assert from "node:assert/strict";
import test from "node:test";

import { Agent, Motion, Planner, ReplanError, World, car, facing, load, omni, region, spot, target, waypoints } from "replan-engine";

const replan = await load();
const WALL = ["....", ".##.", "...."].map((row) => [...row].map((letter) => (letter === "." ? 1 : 0)));

/** The path is made of legal steps of these bytes. */
function assertLegal(path, bytes, width) {
  const free = (x, y) => bytes[y * width + x] !== 0;
  path.forEach(([x, y], i) => {
    assert.ok(free(x, y), `cell ${x}, ${y} is free`);
    const [beforeX, beforeY] = path[Math.max(i - 1, 0)];
    assert.ok(Math.abs(x - beforeX) <= 1 && Math.abs(y - beforeY) <= 1, "a neighbour of the one before");
    assert.ok(free(beforeX, y) && free(x, beforeY), "no corner is cut");
  });
}

test("a path in one line", () => {
  const plan = replan.findPath(WALL, [0, 1], [3, 1]);
  assert.equal(plan.outcome, "found");
  assert.equal(plan.cost, 5);
  assert.deepEqual(plan.path[0], [0, 1]);
  assert.deepEqual(plan.path.at(-1), [3, 1]);
  assertLegal(plan.path, WALL.flat(), 4);
});

test("blocked ends and no path are outcomes", () => {
  assert.equal(replan.findPath(WALL, [1, 1], [3, 1]).outcome, "start_blocked");
  assert.equal(replan.findPath(WALL, [0, 1], [1, 1]).outcome, "goal_blocked");
  const apart = replan.findPath([[1, 0, 1]], [0, 0], [2, 0]);
  assert.equal(apart.outcome, "no_path");
  assert.equal(apart.cost, null);
  assert.deepEqual(apart.path, []);
});

test("weights, four neighbours and a torus", () => {
  assert.equal(replan.findPath([[1, 9, 1], [1, 1, 1]], [0, 0], [2, 0], { neighbors: 4 }).cost, 4);
  assert.equal(replan.findPath([[1, 9, 1]], [0, 0], [2, 0]).cost, 10);
  const ring = Array.from({ length: 5 }, () => [1, 1, 1, 1, 1]);
  assert.equal(replan.findPath(ring, [0, 0], [4, 0], { wraps: true }).cost, 1);
  assert.equal(replan.findPath([[50, 0, 0], [100, 0, 0]].map((row) => row.map((byte) => byte)), [0, 0], [0, 1],
    { profile: "costmap" }).cost, (90 + 130) / 2 / 50);
});

for (const { id, capabilities } of replan.planners) {
  test(`planner ${id} mends its path as cells change`, () => {
    const planner = replan.createPlanner({ width: 30, height: 20, planner: id, neighbors: capabilities.includes("8") ? 8 : 4 });
    planner.setStart([0, 10]);
    planner.setGoal([29, 10]);
    assert.equal(planner.plan().cost, 29);
    planner.fillRect(15, 0, 1, 19, 0);
    assert.equal(planner.plan().cost.toFixed(6), capabilities.includes("8") ? "36.455844" : "47.000000");
    planner.setCell(15, 10, 1);
    assert.equal(planner.plan().cost, 29);
    planner.setCells([[15, 10], [15, 19]], 0);
    assert.equal(planner.plan().outcome, "no_path");
    planner.writeRect(15, 9, 1, 3, [1, 1, 1]);
    assert.equal(planner.plan().cost, 29);
    planner.close();
  });
}

const rowsOf = (width, height, isFree) =>
  Array.from({ length: height }, (_, y) => Array.from({ length: width }, (_, x) => Number(isFree(x, y))));

test("a plan in slices is null until it is done", () => {
  const planner = replan.createPlanner({ width: 200, height: 200, planner: "astar" });
  planner.setStart([0, 0]);
  planner.setGoal([199, 100]);
  let slices = 0;
  let plan = planner.plan(10);
  for (; plan === null; plan = planner.plan(10)) {
    slices++;
  }
  assert.ok(slices > 5);
  assert.ok(Math.abs(plan.cost - (99 + 100 * Math.SQRT2)) < 1e-9);
  planner.close();
});

test("of several goals the cheapest counts, with what it costs to stop there", () => {
  const planner = replan.createPlanner({ width: 9, height: 1 });
  planner.setStart([4, 0]);
  planner.setGoals([[0, 0], [7, 0]]);
  assert.equal(planner.plan().cost, 3);
  planner.setGoals([[0, 0], [7, 0, 5]]);
  assert.equal(planner.plan().cost, 4);
  planner.close();
});

test("an agent hears of what concerns it, and of nothing else", () => {
  const world = replan.createWorld({ width: 16, height: 8 });
  const scout = world.openAgent({ start: [1.5, 4.5], goal: [14.5, 4.5] });
  const [first, ...others] = world.step();
  assert.equal(others.length, 0);
  assert.equal(first.agent, scout);
  assert.deepEqual([first.outcome, first.reason, first.cost, first.version], ["found", "first", 13, 1]);
  assert.deepEqual(first.points[0], [1.5, 4.5]);
  world.fillRect(0, 0, 2, 1, 0);
  assert.deepEqual(world.step(), []);
  assert.equal(scout.answer().version, 2);
  assert.deepEqual([world.version, world.settled], [2, 2]);
  world.fillRect(8, 2, 1, 6, 0);
  assert.equal(scout.answer(), null);
  const [second] = world.step();
  assert.equal(second.reason, "invalid");
  assert.equal(second.cost.toFixed(2), "15.49");
  assertLegal(second.path, world.snapshot(), 16);
  assert.deepEqual(scout.why().map((said) => said.reason), ["invalid", "first"]);
  const broad = world.openAgent({ radius: 1 });
  const [seen, wide] = [scout, broad].map((agent) => (x, y) => agent.factors()[16 * y + x]);
  assert.deepEqual([seen(8, 4), seen(7, 4), wide(7, 4), wide(6, 4)], [0, 1, 0, 1]);
  scout.pose(14.5, 4.5);
  world.step();
  assert.equal(scout.answer().outcome, "arrived");
  world.close();
});

test("an agent that was closed is not the one that came after it", () => {
  const world = replan.createWorld({ width: 10, height: 4 });
  const open = () => world.openAgent({ start: [0.5, 0.5], goal: [9.5, 0.5] });
  const ids = new Set();
  for (let i = 0; i < 50; i++) {
    const agent = open();
    assert.ok(Number.isSafeInteger(agent.id) && agent.id > 0);
    ids.add(agent.id);
    agent.close();
    assert.throws(() => agent.pose(1.5, 1.5), { status: "CLOSED" });
  }
  assert.equal(ids.size, 50);
  const [first, last] = [open(), open()];
  world.step();
  assert.equal(last.answer().cost, 9);
  assert.deepEqual(world.costs([[0.5, 0.5]], [[9.5, 0.5]]), [[9]]);
  assert.deepEqual(world.probe({ x: 5, y: 0, width: 1, height: 4, byte: 0 }, [first, last]), [[9, null], [9, null]]);
  world.close();
});

test("steps with a budget do a part each", () => {
  const world = replan.createWorld({ width: 300, height: 300 });
  world.openAgent({ start: [1.5, 1.5], goal: [290.5, 200.5], planner: "astar" });
  let steps = 0;
  let answers = [];
  while (answers.length === 0) {
    answers = world.step(100);
    steps++;
    assert.ok(answers.length === 1 || world.hasWork);
  }
  assert.ok(steps > 2);
  world.close();
});

test("goals of every kind", () => {
  const world = replan.createWorld({ width: 20, height: 10 });
  const agent = world.openAgent({ start: [0.5, 0.5] });
  const costOf = (goal, options) => {
    agent.goto(goal, options);
    world.step();
    return agent.answer();
  };
  assert.equal(costOf([10.5, 0.5]).cost, 10);
  assert.equal(costOf([[10.5, 0.5], [5.5, 0.5]]).cost, 5);
  assert.equal(costOf(waypoints([[3.5, 0.5], [19.5, 0.5]])).cost, 3);
  assert.equal(costOf(region([7, 0], [9, 3])).cost, 7);
  const other = world.openAgent({ start: [6.5, 0.5] });
  assert.equal(costOf(target(other)).cost, 6);
  other.pose(8.5, 0.5);
  world.step();
  assert.equal(agent.answer().cost, 8);
  other.close();
  world.step();
  assert.equal(agent.answer().outcome, "target_lost");
  world.fillRect(12, 0, 8, 10, 0);
  assert.equal(costOf([19.5, 0.5]).outcome, "goal_blocked");
  const near = costOf([19.5, 0.5], { nearest: true, goalId: 7 });
  assert.deepEqual([near.cost, near.goalDistance, near.goalId], [11, 8, 7]);
  assert.equal(costOf([8.5, 0.5], { tolerance: 2 }).cost, 6);
  world.close();
});

test("bodies, profiles and inflation", () => {
  const gap = replan.createWorld({ matrix: rowsOf(21, 21, (x, y) => x !== 10 || y === 5 || (y >= 14 && y <= 18)) });
  const costs = [0, 1, 2].map((radius) => {
    const agent = gap.openAgent({ start: [5.5, 5.5], goal: [15.5, 5.5], radius });
    gap.step();
    return agent.answer();
  });
  assert.equal(costs[0].cost, 10);
  assert.ok(costs[1].path.some(([x, y]) => x === 10 && y >= 15 && y <= 17));
  assert.ok(costs[2].path.some(([x, y]) => x === 10 && y === 16));
  const square = (cells) => {
    const agent = gap.openAgent({ start: [1.5, 5.5], goal: [15.5, 5.5], cells });
    gap.step();
    return agent.answer();
  };
  assert.equal(square(1).cost, 14);
  assert.deepEqual(square(2).path.filter(([x]) => x === 10).map(([, y]) => y).every((y) => y >= 14 && y <= 17), true);
  assert.ok(square(5).path.some(([x, y]) => x === 10 && y === 14));
  assert.equal(square(6).outcome, "no_path");
  gap.close();
  const sea = replan.createWorld({
    width: 5, height: 3, fill: 2, profiles: [{ name: "ship", factors: new Uint8Array(256).fill(1, 2, 3), unit: 1 }],
  });
  sea.setCell(2, 1, 1);
  const ship = sea.openAgent({ start: [0.5, 1.5], goal: [4.5, 1.5], profile: "ship" });
  sea.step();
  assert.ok(!ship.answer().path.some(([x, y]) => x === 2 && y === 1));
  sea.close();
});

/** Each segment begins where the one before ends, and no arc is narrower than the turning radius. */
function assertDriven({ segments, poseAt }, radius) {
  let at = 0;
  segments.forEach(({ x, y, yaw, curvature, length, turn }, i) => {
    assert.ok(Math.abs(curvature) <= 1 / radius + 1e-9, `segment ${i} turns on ${1 / curvature} m`);
    const [nextX, nextY, nextYaw] = poseAt.call({ segments: segments.slice(i, i + 1) }, Math.abs(length));
    const next = segments[i + 1];
    if (next !== undefined) {
      assert.ok(Math.hypot(next.x - nextX, next.y - nextY) < 1e-6 && Math.abs(Math.sin((next.yaw - nextYaw) / 2)) < 1e-6, `segment ${i + 1} goes on`);
    }
    assert.ok(turn === 0 || length === 0);
    at += Math.abs(length);
    assert.ok(Number.isFinite(x + y + yaw));
  });
  return at;
}

test("an agent with motion gets a curve that it can drive", () => {
  const yard = replan.createWorld({ width: 60, height: 40, resolution: 0.5 });
  const truck = yard.openAgent({ motion: car(2), radius: 0.6, start: [5, 10, 0], goal: facing([20, 10], Math.PI / 2, { tolerance: 0.1 }) });
  yard.step();
  const straight = truck.answer();
  assert.equal(straight.outcome, "found");
  const length = assertDriven(straight, 2);
  assert.ok(length > 15 && length < 22, `it is ${length} m long`);
  assert.deepEqual(straight.poseAt(-1), [5, 10, 0].map((_, i) => [straight.segments[0].x, straight.segments[0].y, straight.segments[0].yaw][i]));
  const [x, y, yaw] = straight.poseAt(1e9);
  assert.ok(Math.hypot(x - 20, y - 10) < 0.8 && Math.abs(Math.sin((yaw - Math.PI / 2) / 2)) < 0.1, `it ends at ${x}, ${y}, ${yaw}`);
  assert.ok(Math.abs(straight.validThroughM - length) < 1e-6);
  yard.fillRect(24, 0, 2, 30, 0);
  yard.step();
  const around = truck.answer();
  assert.equal(around.reason, "invalid");
  for (let at = 0; at < assertDriven(around, 2); at += 0.1) {
    const [atX, atY] = around.poseAt(at);
    const [nearX, nearY] = [Math.min(Math.max(atX, 12), 13), Math.min(atY, 15)];
    assert.ok(Math.hypot(atX - nearX, atY - nearY) >= 0.6 - 1e-6, `at ${at} m the body is in the wall`);
  }
  truck.pose(...around.poseAt(1).slice(0, 2), 0, around.poseAt(1)[2]);
  yard.step();
  assert.equal(truck.answer().pathSeq, around.pathSeq);
  assert.equal(yard.openAgent({ start: [1, 1], goal: [2, 1] }).world, yard);
  yard.step();
  assert.deepEqual(yard.agents.at(-1).answer().segments, []);
  yard.close();
});

test("it backs out, turns in place, and sweeps its footprint", () => {
  const lane = replan.createWorld({ width: 40, height: 24, resolution: 0.5 });
  lane.fillRect(0, 9, 24, 1, 0);
  lane.fillRect(0, 15, 24, 1, 0);
  const footprint = [[1.5, 0.6], [-0.5, 0.6], [-0.5, -0.6], [1.5, -0.6]];
  const backing = lane.openAgent({ motion: car(1.5, { reverse: true, gearChange: 1 }), footprint, start: [6, 6, Math.PI], goal: [15, 6] });
  const turning = lane.openAgent({ motion: spot(0, { turn: 0.2 }), radius: 0.5, start: [6, 6, Math.PI], goal: [15, 6] });
  lane.step();
  const [back, turned] = [backing, turning].map((agent) => agent.answer());
  assert.ok(assertDriven(back, 1.5) > 8);
  assert.ok(back.segments[0].length < 0);
  assert.ok(assertDriven(turned, 1e-9) > 8);
  assert.ok(Math.abs(turned.segments.reduce((sum, { turn }) => sum + turn, 0)) > 3, "it turns round");
  const sideways = lane.openAgent({ motion: omni({ turn: 3 }), radius: 0.5, start: [13, 2, 0], goal: [13, 11] });
  lane.step();
  const moved = sideways.answer();
  assert.ok(assertDriven(moved, 1e-9) > 8);
  assert.ok(moved.segments.some(({ course }) => Math.abs(course) > 1) && Math.abs(moved.poseAt(1e9)[2]) < 0.1, "its yaw stays");
  assert.ok(car(1) instanceof Motion);
  lane.close();
});

test("shapes hide cells, move, expire and go", () => {
  const world = replan.createWorld({ width: 20, height: 10 });
  const agent = world.openAgent({ start: [1.5, 5.5], goal: [18.5, 5.5] });
  const cost = (nowMs) => {
    world.step(Infinity, nowMs);
    return agent.answer().cost;
  };
  assert.equal(cost(0), 17);
  world.putDisc(1, 10.5, 5.5, 2, 0);
  assert.ok(cost(1) > 17);
  world.putDisc(1, 10.5, 20, 2, 0);
  assert.equal(cost(2), 17);
  world.putPolygon(2, [[9, 0], [11, 0], [11, 8], [9, 8]], 0, { ttlMs: 100 });
  assert.ok(cost(3) > 17);
  assert.equal(world.snapshot()[9], 0);
  assert.equal(cost(200), 17);
  world.putDisc(3, 10.5, 5.5, 2, 0);
  assert.ok(cost(201) > 17);
  world.removeShapes();
  assert.equal(cost(202), 17);
  world.close();
});

test("a policy keeps a path that is only a little dearer", () => {
  const world = replan.createWorld({ matrix: rowsOf(30, 12, (x, y) => x !== 15 || y === 0) });
  const agent = world.openAgent({ start: [1.5, 5.5], goal: [28.5, 5.5], switchGainPercent: 50 });
  const [{ cost }] = world.step(Infinity, 0);
  world.setCell(15, 3, 1);
  assert.deepEqual(world.step(Infinity, 1000), []);
  const kept = agent.answer();
  assert.equal(kept.cost, cost);
  assert.ok(kept.bound < cost && !kept.optimal);
  world.close();
});

test("a world becomes another rectangle of the plane", () => {
  const world = replan.createWorld({ width: 10, height: 10, resolution: 0.5, origin: [3, 4] });
  const agent = world.openAgent({ start: [3.25, 4.25], goal: [7.75, 4.25] });
  world.step();
  assert.equal(agent.answer().cost, 9);
  world.resize({ x: -2, y: 0, width: 14, height: 10 });
  world.step();
  assert.deepEqual([world.width, world.window, ...world.origin], [14, 2, 2, 4, 0]);
  assert.deepEqual(agent.answer().path[0], [2, 0]);
  assert.deepEqual(agent.answer().points[0], [3.25, 4.25]);
  world.close();
});

test("what is known of new ground is written while the world becomes another rectangle", () => {
  const world = replan.createWorld({ width: 6, height: 4 });
  const agent = world.openAgent({ start: [0.5, 0.5], goal: [5.5, 0.5] });
  world.step();
  const wall = { x: 7, y: 0, width: 1, height: 4, data: [0, 0, 0, 1] };
  assert.throws(() => world.resize({ width: 9, rects: [wall] }), /each new cell needs/);
  assert.deepEqual([world.width, world.version], [6, 1]);
  world.resize({ width: 9, fill: 1, rects: [wall, { x: 1, y: 1, width: 2, height: 1, data: Uint8Array.of(5, 6) }] });
  assert.deepEqual([world.width, world.version, world.window], [9, 2, 2]);
  const bytes = world.snapshot();
  assert.deepEqual([0, 1, 2, 3].map((y) => bytes[9 * y + 7]), [0, 0, 0, 1]);
  assert.deepEqual([...bytes.subarray(10, 12)], [5, 6]);
  agent.goto([8.5, 0.5]);
  world.step();
  assertLegal(agent.answer().path, bytes, 9);
  assert.ok(agent.answer().path.some(([x, y]) => x === 7 && y === 3));
  const whole = { x: 0, y: 0, width: 2, height: 2, data: [1, 2, 3, 4] };
  world.resize({ x: 20, y: 20, width: 2, height: 2, rects: [whole] });
  assert.deepEqual([...world.snapshot()], [1, 2, 3, 4]);
  world.close();
});

test("a large change is prepared in slices, and made at once", () => {
  const world = replan.createWorld({ width: 600, height: 500 });
  const agent = world.openAgent({ start: [0.5, 0.5], goal: [599.5, 499.5] });
  world.step();
  const { cost } = agent.answer();
  const data = Uint8Array.from({ length: 500 * 400 }, (_, i) => ((i * 7919) % 11 === 0 ? 0 : 1 + (i % 3)));
  const staged = world.stage({ x: 50, y: 40, width: 500, height: 400, data });
  let slices = 1;
  for (; staged.work(50); slices++) {
    assert.equal(world.version, 1);
  }
  assert.ok(slices > 5, `${slices} slices`);
  assert.ok(staged.isReady && agent.answer().cost === cost);
  staged.apply();
  assert.throws(() => staged.work(1), (error) => error.status === "CLOSED");
  assert.equal(world.version, 2);
  const other = replan.createWorld({ width: 600, height: 500 });
  other.writeRect(50, 40, 500, 400, data);
  assert.deepEqual(world.snapshot(), other.snapshot());
  world.step();
  const same = other.openAgent({ start: [0.5, 0.5], goal: [599.5, 499.5] });
  other.step();
  assert.equal(agent.answer().cost, same.answer().cost);
  const late = world.stage({ x: 0, y: 0, width: 600, height: 500, byte: 3 });
  world.setCell(1, 1, 9);
  assert.equal(late.work(Infinity), false);
  assert.equal(late.isReady, false);
  late.apply();
  assert.ok(world.snapshot().every((byte) => byte === 3));
  world.stage({ x: 0, y: 0, width: 1, height: 1, byte: 0 }).close();
  const open = world.stage({ x: 0, y: 0, width: 9, height: 9, byte: 0 });
  [world, other].forEach((one) => one.close());
  assert.throws(() => open.apply(), (error) => error.status === "CLOSED");
});

test("a path of one's own is checked", () => {
  const world = replan.createWorld({ matrix: rowsOf(8, 6, (x, y) => x !== 4 || y === 0) });
  const agent = world.openAgent({ start: [1.5, 2.5], goal: [6.5, 2.5], radius: 0 });
  world.step();
  const { path, cost, bends, points } = agent.answer();
  assert.deepEqual(agent.valid(path), { version: 1, legal: true, cost, offending: [], offendingWay: [] });
  assert.deepEqual([bends[0], bends.at(-1)], [points[0], points.at(-1)]);
  assert.ok(bends.length > 2 && bends.length < points.length);
  const straight = [1, 2, 3, 4, 5].map((x) => [x, 2]);
  assert.deepEqual(agent.valid(straight), { version: 1, legal: false, cost: null, offending: [2, 3], offendingWay: [] });
  assert.equal(agent.valid([[4, 3], [5, 3]]).legal, false);
  assert.throws(() => agent.valid([[0, 0], [2, 0]]), /a neighbour/);
  assert.equal(agent.valid([[1, 2], [2, 2]], [[4, 2], [3, 2], [2, 2], [1, 2]]).legal, false);
  world.close();
  const floor = replan.createWorld({ width: 9, height: 5, profile: "costmap", fill: 0 });
  floor.setCell(2, 2, 254);
  const broad = floor.openAgent({ start: [3.5, 2.5], goal: [8.5, 2.5], inscribedRadius: 1.5, inflationRadius: 1.5, costScalingFactor: 1, escape: 4 });
  floor.step();
  const { way, path: from } = broad.answer();
  assert.ok(way.length > 1);
  assert.deepEqual(broad.valid(from, way).offendingWay, []);
  assert.equal(broad.valid(from, way).legal, true);
  const ring = replan.createWorld({ width: 9, height: 9, wraps: true });
  const round = ring.openAgent({ start: [0.5, 0.5], goal: [8.5, 8.5] });
  ring.step();
  assert.deepEqual(round.valid(round.answer().path).cost, Math.SQRT2);
  [floor, ring].forEach((one) => one.close());
});

test("many agents go to one place, or to places side by side", () => {
  const world = replan.createWorld({ width: 60, height: 60 });
  const agents = Array.from({ length: 20 }, (_, i) => world.openAgent({ start: [i + 0.5, 0.5] }));
  world.order(agents, [30.5, 50.5]);
  assert.equal(world.step().length, 20);
  assert.ok(agents.every((agent) => agent.answer().path.at(-1).join() === "30,50"));
  world.order(agents, agents.map((_, i) => [20.5 + i, 40.5]));
  world.step();
  assert.ok(agents.every((agent, i) => agent.answer().path.at(-1).join() === `${20 + i},40`));
  world.close();
});

test("questions before acting", () => {
  const world = replan.createWorld({ matrix: rowsOf(16, 8, (x, y) => x !== 8 || y < 2) });
  const agent = world.openAgent({ start: [1.5, 4.5], goal: [14.5, 4.5] });
  world.step();
  const { cost } = agent.answer();
  assert.deepEqual(world.costs([[1.5, 4.5], [8.5, 5.5]], [[14.5, 4.5], [1.5, 4.5]]), [[cost, 0], [null, null]]);
  assert.deepEqual(world.probe({ x: 8, y: 0, width: 1, height: 2, byte: 0 }, [agent], [[[1.5, 1.5], [3.5, 1.5]]]),
    [[cost, null], [2, 2]]);
  assert.equal(world.probe({ cells: [[8, 4]], byte: 1 }, [agent])[0][1], 13);
  assert.equal(agent.answer().cost, cost);
  const field = world.field(agent, 2);
  assert.deepEqual([field.x, field.y, field.width, field.height], [0, 2, 4, 5]);
  assert.equal(field.costs[2 * 4 + 1], cost);
  world.close();
});

test("maps are read as repland reads them, and written", () => {
  const letters = new TextEncoder().encode("...\n.#.\n...\n");
  const map = replan.readMap(letters, "rooms.txt");
  assert.deepEqual([map.width, map.height, map.profile, map.resolution], [3, 3, "factor", 1]);
  assert.deepEqual([...map.data], [1, 1, 1, 1, 0, 1, 1, 1, 1]);
  for (const name of ["a.map", "a.png", "a.pgm"]) {
    assert.deepEqual(replan.readMap(replan.writeMap(map, name)[name], name).data, map.data);
  }
  const costmap = { width: 2, height: 2, data: Uint8Array.of(0, 254, 255, 100), profile: "costmap", resolution: 0.05,
    origin: [-1, 2, 0.5] };
  const files = replan.writeMap(costmap, "hall.yaml");
  assert.deepEqual(Object.keys(files), ["hall.yaml", "hall.pgm"]);
  assert.equal(replan.mapPicture(files["hall.yaml"]), "hall.pgm");
  assert.equal(replan.mapPicture(letters), null);
  const read = replan.readMap(files["hall.yaml"], "hall.yaml", files["hall.pgm"]);
  assert.deepEqual([read.profile, read.resolution, ...read.origin], ["costmap", 0.05, -1, 2, 0.5]);
  assert.deepEqual([...read.data].slice(0, 3), [0, 254, 255]);
  const world = replan.createWorld(read);
  assert.equal(world.resolution, 0.05);
  world.close();
});

test("classes are there for instanceof, and close by `using`", () => {
  const world = replan.createWorld({ width: 3, height: 3 });
  const agent = world.openAgent({});
  const planner = replan.createPlanner({ width: 3, height: 3 });
  assert.ok(world instanceof World && agent instanceof Agent && planner instanceof Planner);
  if (Symbol.dispose !== undefined) {
    agent[Symbol.dispose]();
    planner[Symbol.dispose]();
    world[Symbol.dispose]();
  } else {
    [agent, planner, world].forEach((one) => one.close());
  }
  world.close();
  for (const act of [() => agent.answer(), () => planner.plan(), () => world.step(), () => world.openAgent({}), () => world.width]) {
    assert.throws(act, (error) => error instanceof ReplanError && error.status === "CLOSED");
  }
});
