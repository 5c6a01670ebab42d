import type { Point } from "./arguments";
import { type Frame, frameOf, lineOf, middle, pairsOf } from "./frame";
import { ReplanError } from "./errors";
import { poseAlong, type Pose, type Segment, segmentsOf } from "./motion";
import { costOf, number, v1 } from "./wire";

export type Outcome = "none" | "found" | "no_path" | "partial" | "start_blocked" | "goal_blocked" | "outside" | "target_lost" | "arrived";
export type Reason = "none" | "first" | "invalid" | "cheaper" | "aged" | "goal" | "off_path" | "request" | "reached";

const OUTCOMES: readonly Outcome[] = ["none", "found", "no_path", "partial", "start_blocked", "goal_blocked", "outside", "target_lost", "arrived"];
const REASONS: readonly Reason[] = ["none", "first", "invalid", "cheaper", "aged", "goal", "off_path", "request", "reached"];

export const outcomeOf = (told: number | null | undefined): Outcome => OUTCOMES[told ?? 0] ?? "none";
export const reasonOf = (told: number | null | undefined): Reason => REASONS[told ?? 0] ?? "none";

const EMPTY = new Int32Array(0);

/** Optimal for the version, start and goal that it names, unless `optimal` is false. */
export class Answer {
  readonly world: string;
  readonly agent: string;
  readonly outcome: Outcome;
  readonly reason: Reason;
  /** In cell lengths on normal ground; null without a path. */
  readonly cost: number | null;
  /** No path costs less. */
  readonly bound: number | null;
  readonly optimal: boolean;
  /** Which incarnation of the world. */
  readonly epoch: number;
  readonly version: number;
  readonly window: number;
  /** Counts the answers of this agent: a jump means that some were missed. */
  readonly pathSeq: number;
  readonly goalId: number;
  readonly poseSeq: number;
  readonly waypoint: number;
  readonly goalDistance: number;
  /** Metres that the way is long. */
  readonly escape: number;
  readonly validThrough: number;
  /** No change came for longer than the world expects. */
  readonly staleMap: boolean;
  readonly mapAgeMs: number;
  readonly planner: string;
  readonly expansions: number;
  readonly frame: Frame;
  /** Cells as x0, y0, x1, y1, ..; on a torus they run on beyond the edge. Empty without a path. */
  readonly line: Int32Array;
  /** The curve of an agent with motion, from where it is; of others empty. */
  readonly segments: readonly Segment[];
  /** Of waypoints: by waypoint, from `waypoint` on, the number of the first of `segments` that leads there. */
  readonly legAt: readonly number[];
  /** Metres of the curve on which the body stays on known cells. */
  readonly validThroughM: number;
  readonly #wayLine: Int32Array;

  /** @internal */
  constructor(told: v1.IAnswer) {
    const frame = frameOf(told.geometry);
    this.world = told.world ?? "";
    this.agent = told.agent ?? "";
    this.outcome = outcomeOf(told.outcome);
    this.reason = reasonOf(told.reason);
    this.cost = costOf(told.cost);
    this.bound = costOf(told.bound);
    this.optimal = told.optimal ?? false;
    this.epoch = number(told.epoch);
    this.version = number(told.version);
    this.window = number(told.window);
    this.pathSeq = number(told.pathSeq);
    this.goalId = number(told.goalId);
    this.poseSeq = number(told.poseSeq);
    this.waypoint = told.waypoint ?? 0;
    this.goalDistance = told.goalDistanceM ?? 0;
    this.escape = told.escapeM ?? 0;
    this.validThrough = told.validThrough ?? 0;
    this.staleMap = told.staleMap ?? false;
    this.mapAgeMs = number(told.mapAgeMs);
    this.planner = told.planner ?? "";
    this.expansions = number(told.expansions);
    this.frame = frame;
    this.segments = segmentsOf(told);
    this.legAt = [...(told.legAt ?? [])];
    this.validThroughM = told.validThroughM ?? 0;
    const hasPath = ["found", "partial", "arrived"].includes(this.outcome) && frame.width > 0;
    const way = told.way ?? new Uint8Array(0);
    this.line = hasPath ? lineOf(told.start ?? 0, told.steps ?? new Uint8Array(0), frame.width) : EMPTY;
    this.#wayLine = hasPath && way.length > 0 ? lineOf(told.wayStart ?? 0, way, frame.width) : EMPTY;
  }

  /** An answer from the bytes that a subscriber gets on a topic path/<world>/<agent>/. */
  static parse(body: Uint8Array): Answer {
    return new Answer(v1.Answer.decode(body));
  }

  /** Cells, start first; empty without a path. */
  get path(): Point[] {
    return this.#inside(this.line);
  }

  /** Their middles in metres; on a torus they run on beyond the edge. */
  get points(): Point[] {
    return pairsOf(this.line).map(([x, y]) => middle(this.frame, x, y));
  }

  /** Those points at which the path bends, its ends too: between two it is a straight line. */
  get bends(): Point[] {
    const line = this.line;
    const last = line.length / 2 - 1;
    const step = (i: number): string => `${line[2 * i + 2]! - line[2 * i]!},${line[2 * i + 3]! - line[2 * i + 1]!}`;
    return this.points.filter((_, i) => i === 0 || i === last || step(i) !== step(i - 1));
  }

  /** The pose [x, y, yaw] after so many metres along the curve, within its ends. */
  poseAt(distance: number): Pose {
    if (this.segments.length === 0) {
      throw new ReplanError("INVALID", "the answer has no segments: its agent has no motion, or no path");
    }
    return poseAlong(this.segments, distance);
  }

  /** Cells out of a blocked one, path[0] last; or empty. */
  get way(): Point[] {
    return this.#inside(this.#wayLine);
  }

  /** Their middles in metres, up to points[0]. */
  get wayPoints(): Point[] {
    const way = pairsOf(this.#wayLine);
    const end = way[way.length - 1];
    if (end === undefined) {
      return [];
    }
    const [offX, offY] = [this.line[0]! - end[0], this.line[1]! - end[1]]; // on a torus so that it ends where the path begins
    return way.map(([x, y]) => middle(this.frame, x + offX, y + offY));
  }

  #inside(line: Int32Array): Point[] {
    const { width, height } = this.frame;
    return pairsOf(line).map(([x, y]) => [((x % width) + width) % width, ((y % height) + height) % height]);
  }

  toString(): string {
    const about = `${this.agent}: ${this.outcome} (${this.reason}) at version ${this.version}`;
    return this.cost === null ? about : `${about}, cost ${this.cost.toFixed(2)}, ${this.line.length / 2} cells`;
  }
}

/** The whole steps of an answer that may leave out what stands of its agent's last path; null when that one is not here. */
export function splice(told: v1.IAnswer, base: { pathSeq: number; steps: Uint8Array } | undefined): Uint8Array | null {
  const steps = told.steps ?? new Uint8Array(0);
  const baseSeq = number(told.baseSeq);
  if (baseSeq === 0) {
    return steps;
  }
  const [fromEnd, head, tail] = [told.keptFromEnd ?? 0, told.keptHead ?? 0, told.keptTail ?? 0];
  if (base === undefined || base.pathSeq !== baseSeq || fromEnd > base.steps.length || head + tail > fromEnd) {
    return null;
  }
  const begin = base.steps.length - fromEnd;
  const joined = new Uint8Array(head + steps.length + tail);
  joined.set(base.steps.subarray(begin, begin + head));
  joined.set(steps, head);
  joined.set(base.steps.subarray(base.steps.length - tail), head + steps.length);
  return joined;
}
