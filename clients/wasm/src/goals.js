// Where an agent may want to go, besides a point or the cheapest of several.
import * as check from "./arguments.js";

const KINDS = { points: 0, waypoints: 1, region: 2, target: 3 };
const GOALS_MAX = 4096;
const [ANY, FIXED, EITHER_WAY] = [0, 1, 2]; // rp_aim_heading_t
const ANY_HEADING = { yaws: [], heading: ANY, yawTolerance: 0 };

class Goal {
  constructor(kind, points, first = 0, agent = null, { yaws, heading, yawTolerance } = ANY_HEADING) {
    Object.assign(this, { kind, points, first, agent, yaws, heading, yawTolerance });
  }
}

/** How to stand at points. @param yaws one for all or one each */
function headingOf(name, yaws, count, options) {
  const list = typeof yaws === "number" ? [yaws] : check.list(name, yaws);
  check.options("options", options, ["eitherWay", "tolerance"]);
  if (list.length !== 1 && list.length !== count) {
    throw check.invalid(name, `has ${list.length} entries, it must have 1, or one for each of the ${count} points`);
  }
  return {
    yaws: Array.from({ length: count }, (_, i) => check.real(name, list[list.length === 1 ? 0 : i])),
    heading: check.truth("options.eitherWay", options.eitherWay ?? false) ? EITHER_WAY : FIXED,
    yawTolerance: check.real("options.tolerance", options.tolerance ?? 0, 0, Math.PI),
  };
}

/**
 * All of these points, in order; an answer leads to the next one. `first`: number of the one to begin with. `yaws`: to pass them
 * with, one for all or one each, of agents with motion.
 */
export function waypoints(points, first = 0, yaws = undefined, options = {}) {
  const list = check.points("points", points, 1, GOALS_MAX);
  const heading = yaws === undefined ? ANY_HEADING : headingOf("yaws", yaws, list.length, options);
  return new Goal("waypoints", list, check.whole("first", first, 0, list.length - 1), null, heading);
}

/** This point, or the cheapest of several, to arrive with a yaw, one for all or one each: radians, of agents with motion. */
export function facing(place, yaw, options = {}) {
  const points = typeof place?.[0] === "number" ? [check.point("place", place)] : check.points("place", place, 1, GOALS_MAX);
  return new Goal("points", points, 0, null, headingOf("yaw", yaw, points.length, options));
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
  return [KINDS[goal.kind], goal.first, targetId, tolerance, Number(nearest), goalId, Number(rendezvous !== null), ...place,
    goal.heading, goal.yawTolerance];
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
