// Where an agent may want to go, besides a point or the cheapest of several.
import * as check from "./arguments.js";

const KINDS = { points: 0, waypoints: 1, region: 2, target: 3 };
const GOALS_MAX = 4096;

class Goal {
  constructor(kind, points, first = 0, agent = null) {
    Object.assign(this, { kind, points, first, agent });
  }
}

/** All of these points, in order; an answer leads to the next one. `first`: number of the one to begin with. */
export function waypoints(points, first = 0) {
  const list = check.points("points", points, 1, GOALS_MAX);
  return new Goal("waypoints", list, check.whole("first", first, 0, list.length - 1));
}

/** Anywhere in the rectangle along the grid between two corners, in metres of the frame. */
export function region(corner, opposite) {
  return new Goal("region", [check.point("corner", corner), check.point("opposite", opposite)]);
}

/** Wherever another agent of the same world is. */
export function target(agent) {
  return new Goal("target", [], 0, agent);
}

/** A goal from a point [x, y], a list of points, or what the functions above make. */
export function goalOf(name, goal) {
  if (goal instanceof Goal) {
    return goal;
  }
  if (!Array.isArray(goal)) {
    throw check.wrong(name, goal, "[x, y], a list of them, or what waypoints(), region() and target() make");
  }
  return new Goal("points", typeof goal[0] === "number" ? [check.point(name, goal)] : check.points(name, goal, 1, GOALS_MAX));
}

/** The doubles of agent_aim(). @param {Goal} goal @param {number} targetId */
export function aimNumbers(goal, targetId, { tolerance, nearest, goalId }, rendezvous = null) {
  const place = rendezvous ?? [0, 0];
  return [KINDS[goal.kind], goal.first, targetId, tolerance, Number(nearest), goalId, Number(rendezvous !== null), ...place];
}

export const GOAL_OPTIONS = ["tolerance", "nearest", "goalId"];

/** The options of a goal, checked, with what they are when absent. */
export function goalOptions(name, options) {
  return {
    tolerance: check.real(`${name}.tolerance`, options.tolerance ?? 0, 0),
    nearest: check.truth(`${name}.nearest`, options.nearest ?? false),
    goalId: check.whole(`${name}.goalId`, options.goalId ?? 0, 0, Number.MAX_SAFE_INTEGER),
  };
}

/** x, y, 0 by point. */
export function places(points) {
  return points.flatMap(([x, y]) => [x, y, 0]);
}
