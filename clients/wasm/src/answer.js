// What an agent is told.
import { ReplanError } from "./errors.js";
import { poseAlong, segmentsOf } from "./motion.js";
import { pairs } from "./planner.js";

export const ANSWER_OUTCOMES = ["none", "found", "no_path", "partial", "start_blocked", "goal_blocked", "outside", "target_lost",
  "arrived"];
export const REASONS = ["first", "invalid", "cheaper", "aged", "goal", "off_path", "reached"];

/** Doubles that an answer is told by: RP_JS_ANSWER_TOLD. */
export const ANSWER_TOLD = 30;

/** Optimal for the version, start and goal that it names, unless `optimal` is false. */
export class Answer {
  #line; // x, y by cell; on a torus it runs on beyond the edge
  #wayLine;
  #frame;

  /** @param {ArrayLike<number>} told in the order of RP_JS_ANSWER_.. */
  constructor(module, agent, told) {
    const [, version, window, width, height, resolution, originX, originY, originYaw, pathSeq, goalId, poseSeq, waypoint,
      goalDistance, escape, outcome, reason, cost, bound, validThrough, planner, expansions, cells, count, way, wayCount, segments, segmentCount,
      escapeSegments, validThroughM] = told;
    this.#line = module.integers(cells, 2 * count).slice();
    this.#wayLine = module.integers(way, 2 * wayCount).slice();
    this.#frame = { width, height, resolution, origin: [originX, originY, originYaw] };
    this.agent = agent;
    this.outcome = ANSWER_OUTCOMES[outcome];
    this.reason = REASONS[reason];
    this.cost = count === 0 ? null : cost;
    this.bound = count === 0 ? null : bound;
    this.optimal = count === 0 || cost === bound;
    this.version = version;
    this.window = window;
    this.pathSeq = pathSeq;
    this.goalId = goalId;
    this.poseSeq = poseSeq;
    this.waypoint = waypoint;
    this.goalDistance = goalDistance;
    this.escape = escape;
    this.validThrough = validThrough;
    this.planner = module.string(planner);
    this.expansions = expansions;
    this.segments = segmentsOf(module, segments, segmentCount);
    this.escapeSegments = escapeSegments;
    this.validThroughM = validThroughM;
  }

  /** The pose [x, y, yaw] after so many metres along the curve, within its ends. */
  poseAt(distance) {
    if (this.segments.length === 0) {
      throw new ReplanError("INVALID", "the answer has no segments: its agent has no motion, or no path");
    }
    return poseAlong(this.segments, distance);
  }

  /** Cells of the path as x0, y0, x1, y1, ..; on a torus they run on beyond the edge, so that they make one line. */
  get line() {
    return this.#line;
  }

  /** Cells [x, y], start first; empty without a path. */
  get path() {
    return this.#cells(this.#line);
  }

  /** The middles of the path's cells in metres; on a torus they run on beyond the edge. */
  get points() {
    return this.#points(this.#line);
  }

  /** The points at which the path bends, its ends too: between two it is a straight line. */
  get bends() {
    const line = this.#line;
    const last = line.length / 2 - 1;
    const isBend = (i) => i === 0 || i === last || line[2 * i] - line[2 * i - 2] !== line[2 * i + 2] - line[2 * i]
      || line[2 * i + 1] - line[2 * i - 1] !== line[2 * i + 3] - line[2 * i + 1];
    return this.points.filter((_, i) => isBend(i));
  }

  /** Cells out of a blocked one, the agent's first, path[0] last; or empty. */
  get way() {
    return this.#cells(this.#wayLine);
  }

  get wayPoints() {
    return this.#points(this.#wayLine);
  }

  #cells(line) {
    const { width, height } = this.#frame;
    return pairs(line).map(([x, y]) => [((x % width) + width) % width, ((y % height) + height) % height]);
  }

  #points(line) {
    const { resolution, origin: [originX, originY, yaw] } = this.#frame;
    const cosine = Math.cos(yaw) * resolution;
    const sine = Math.sin(yaw) * resolution;
    return pairs(line).map(([x, y]) => [
      originX + cosine * (x + 0.5) - sine * (y + 0.5),
      originY + sine * (x + 0.5) + cosine * (y + 0.5),
    ]);
  }
}
