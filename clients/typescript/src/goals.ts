import * as check from "./arguments";
import type { Point } from "./arguments";
import { v1 } from "./wire";

const GOALS_MAX = 4096; // RP_LIMIT_GOALS
const TOLERANCE_MAX = 1e6; // RP_LIMIT_RADIUS_M

/** What waypoints(), region(), facing() and target() make. */
export class Goal {
  /** @internal */
  constructor(readonly kind: "points" | "waypoints" | "region" | "target", readonly message: v1.IGoal) {}
}

/** Where an agent may go: a point, the cheapest of several, or what waypoints(), region(), facing() and target() make. */
export type GoalLike = Point | Point[] | Goal;

export interface GoalOptions {
  /** Metres: any cell whose middle is this near to a point will do. */
  tolerance?: number;
  /** When the goal cannot be reached: go to the nearest cell that can. */
  nearest?: boolean;
  /** A number of yours, echoed in answers. */
  goalId?: number;
}

export const GOAL_OPTIONS = ["tolerance", "nearest", "goalId"];

const columns = (points: Point[]): { x: number[]; y: number[] } => ({ x: points.map(([x]) => x), y: points.map(([, y]) => y) });

/** Of agents with motion. */
export interface FacingOptions {
  /** Or the other way round. */
  eitherWay?: boolean;
  /** Radians: any heading of the lattice this near to it will do. */
  tolerance?: number;
}

function headingOf(name: string, yaw: number | number[], count: number, options: FacingOptions): v1.IGoal {
  const yaws = typeof yaw === "number" ? [yaw] : Array.from(check.list(name, yaw), (entry) => entry as number);
  check.options("options", options, ["eitherWay", "tolerance"]);
  if (yaws.length !== 1 && yaws.length !== count) {
    throw check.invalid(name, `has ${yaws.length} entries, it must have 1, or one for each of the ${count} points`);
  }
  return {
    yaw: yaws.map((entry) => check.coordinate(name, entry)), yawTolerance: check.real("options.tolerance", options.tolerance ?? 0, 0, Math.PI),
    heading: check.truth("options.eitherWay", options.eitherWay ?? false) ? v1.GoalHeading.EITHER_WAY : v1.GoalHeading.FIXED,
  };
}

/**
 * All of these points, in order; an answer leads to the next one. `first`: number of the one to begin with. `yaws`: to pass them with,
 * one for all or one each, of agents with motion.
 */
export function waypoints(points: Point[], first = 0, yaws?: number | number[], options: FacingOptions = {}): Goal {
  const places = check.points("points", points, 1, GOALS_MAX);
  const firstWaypoint = check.whole("first", first, 0, places.length - 1);
  const heading = yaws === undefined ? {} : headingOf("yaws", yaws, places.length, options);
  return new Goal("waypoints", { kind: v1.GoalKind.WAYPOINTS, ...columns(places), firstWaypoint, ...heading });
}

/** This point, or the cheapest of several, to arrive with a yaw, one for all or one each: radians, of agents with motion. */
export function facing(place: Point | Point[], yaw: number | number[], options: FacingOptions = {}): Goal {
  const places = placesOf("place", place);
  return new Goal("points", { ...places, ...headingOf("yaw", yaw, places.x?.length ?? 0, options) });
}

/** Anywhere in the rectangle along the grid between two corners, in metres of the frame. */
export function region(corner: Point, opposite: Point): Goal {
  return new Goal("region", { kind: v1.GoalKind.REGION, ...columns([check.point("corner", corner), check.point("opposite", opposite)]) });
}

/** Wherever another agent of the same world is; it may be opened later. */
export function target(agent: string | { readonly name: string }): Goal {
  return new Goal("target", { target: check.called("agent", agent !== null && typeof agent === "object" ? agent.name : agent) });
}

/** A message from a goal and its options. */
export function goalOf(name: string, goal: unknown, about: string, options: GoalOptions): v1.IGoal {
  const tolerance = check.real(`${about}.tolerance`, options.tolerance ?? 0, 0, TOLERANCE_MAX);
  const nearest = check.truth(`${about}.nearest`, options.nearest ?? false);
  const goalId = check.whole(`${about}.goalId`, options.goalId ?? 0, 0, Number.MAX_SAFE_INTEGER);
  return { ...placesOf(name, goal), toleranceM: tolerance, nearest, goalId };
}

function placesOf(name: string, goal: unknown): v1.IGoal {
  if (goal instanceof Goal) {
    return goal.message;
  }
  if (!Array.isArray(goal)) {
    throw check.wrong(name, goal, "[x, y], a list of them, or what waypoints(), region(), facing() and target() make");
  }
  const points = typeof goal[0] === "number" ? [check.point(name, goal)] : check.points(name, goal, 1, GOALS_MAX);
  return { kind: v1.GoalKind.POINTS, ...columns(points) };
}
