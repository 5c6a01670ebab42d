// What the types allow; compiled, not run.
import { car, facing, load, loadSync, region, target, waypoints, ReplanError, type Agent, type Answer, type Plan, type Pose, type Replan, type World }
  from "replan-engine";

export async function play(bytes: Uint8Array): Promise<number> {
  const replan: Replan = await load({ maxMemoryBytes: 1 << 28 });
  const other = loadSync(bytes);
  const plan: Plan = other.findPath([[1, 1], new Uint8Array(2)], [0, 0], [1, 1], { neighbors: 4, planner: "lpa" });
  const [x, y]: [number, number] = plan.path[0];
  using world: World = replan.createWorld({ width: 10, height: 10, origin: [0, 0], profiles: [{ name: "ship", unknown: "blocked" }] });
  const agent: Agent = world.openAgent({ start: [x + 0.5, y + 0.5], goal: waypoints([[1, 2], [3, 4]]), radius: 0.4 });
  agent.goto(region([0, 0], [3, 3]), { nearest: true });
  agent.goto(target(world.openAgent({})));
  const truck = world.openAgent({ motion: car(1, { reverse: true }), footprint: [[1, 1], [-1, 1], [0, -1]], start: [1, 1, 0] });
  truck.goto(facing([3, 3], Math.PI, { eitherWay: true }));
  const pose: Pose | undefined = truck.answer()?.poseAt(truck.answer()?.segments[0].length ?? 0);
  truck.pose(...(pose?.slice(0, 2) as [number, number]), 0, pose?.[2]);
  world.putDisc(1, 2, 3, 1, 0, { ttlMs: 100 });
  world.overlay({ put: [{ number: 2, points: [[1, 1], [2, 1], [2, 2]], byte: 0 }], clear: true });
  world.resize({ width: 12, fill: 1, rects: [{ x: 11, y: 0, width: 1, height: 2, data: [1, 0] }] });
  using staged = world.stage({ x: 0, y: 0, width: 2, height: 2, byte: 0 });
  while (staged.work(1000)) { /* a frame */ }
  const offending: number[] = agent.valid([[1, 1], [2, 1]]).offending;
  const answers: Answer[] = world.step(2000, 16);
  const cost: number | null = agent.answer()?.cost ?? null;
  const [[before, after]] = world.probe({ cells: [[1, 1]], byte: 0 }, [agent]);
  using planner = replan.createPlanner(replan.readMap(bytes, "a.png"));
  planner.setGoals([[1, 1], [2, 2, 5]]);
  const slice: Plan | null = planner.plan(100);
  try {
    planner.setStart([1, 2]);
  } catch (error) {
    if (error instanceof ReplanError && error.status === "CLOSED") {
      return -1;
    }
  }
  return (cost ?? 0) + (before ?? 0) + (after ?? 0) + answers.length + offending.length + (slice?.expanded ?? 0);
}
