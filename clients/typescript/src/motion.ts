// How an agent moves whose path is a curve, and the pieces of such a curve.
import * as check from "./arguments";
import { v1 } from "./wire";

/** x, y in metres and yaw in radians, from +x towards +y. */
export type Pose = [number, number, number];

/** A line, an arc, a turn in place or a sideways move, in metres and radians. */
export interface Segment {
  /** Where it begins. */
  readonly x: number;
  readonly y: number;
  readonly yaw: number;
  /** 1/m, above 0 to the left; 0: a line, or a turn in place. */
  readonly curvature: number;
  /** 0 of a turn in place; below 0: backwards. */
  readonly length: number;
  /** Above 0 to the left; of a turn in place. */
  readonly turn: number;
  /** From yaw to where a line moves; 0 unless it is a sideways move. */
  readonly course: number;
}

export interface MotionOptions {
  /** Of the lattice that is searched: 8, 16, 32 or 64; 16. */
  headings?: number;
  /** Where they find no path, twice as many are tried, up to so many; 64. With more "no_path" takes longer. */
  headingsMost?: number;
  /** The first curve may cost so much more than the best, which is looked for after it; 10. */
  boundPercent?: number;
  /** A new curve shares so many metres of the old one ahead of the agent, unless they are cut; one turning radius. */
  hold?: number;
  /** Radians that the agent may be turned from its curve and still follow it; 0.35. */
  followYaw?: number;
  /** Backwards, too; false. */
  reverse?: boolean;
  /** A metre backwards costs as much as so many forwards. */
  reverseFactor?: number;
  /** A change of gear costs as much as so many metres. */
  gearChange?: number;
  /** Of spot() and omni(): a radian turned in place costs as much as so many metres; the radius of the body, at least a cell. */
  turn?: number;
}

const MOTION_OPTIONS = ["headings", "headingsMost", "boundPercent", "hold", "followYaw", "reverse", "reverseFactor", "gearChange"];

/** What car(), spot() and omni() make, for openAgent({ motion }). */
export class Motion {
  /** @internal */
  constructor(readonly message: v1.IMotion) {}
}

/** Forwards, on arcs of this radius, metres, and on lines. */
export function car(turningRadius: number, options: MotionOptions = {}): Motion {
  return new Motion({ drive: v1.Drive.CAR, ...messageOf(turningRadius, options, MOTION_OPTIONS) });
}

/** The same, and it turns in place; with radius 0 it drives lines only. */
export function spot(turningRadius = 0, options: MotionOptions = {}): Motion {
  return new Motion({ drive: v1.Drive.SPOT, ...messageOf(turningRadius, options, [...MOTION_OPTIONS, "turn"]) });
}

/** On lines in any direction, whatever its yaw, and turns in place; it has no gears. */
export function omni(options: MotionOptions = {}): Motion {
  const known = [...MOTION_OPTIONS.filter((name) => !["reverse", "reverseFactor", "gearChange"].includes(name)), "turn"];
  return new Motion({ drive: v1.Drive.OMNI, ...messageOf(0, options, known) });
}

function messageOf(turningRadius: number, given: MotionOptions, known: string[]): v1.IMotion {
  const options = check.options<MotionOptions>("options", given, known);
  const real = (key: "hold" | "followYaw" | "reverseFactor" | "gearChange" | "turn", field: keyof v1.IMotion): v1.IMotion =>
    options[key] === undefined ? {} : { [field]: check.real(`options.${key}`, options[key], 0, 1e6) };
  return {
    turningRadiusM: check.real("turningRadius", turningRadius, 0, 1e6),
    headings: check.whole("options.headings", options.headings ?? 0, 0, 64),
    headingsMost: check.whole("options.headingsMost", options.headingsMost ?? 0, 0, 64),
    reverse: check.truth("options.reverse", options.reverse ?? false),
    ...(options.boundPercent === undefined ? {} : { boundPercent: check.whole("options.boundPercent", options.boundPercent, 0, 50) }),
    ...real("hold", "holdM"), ...real("followYaw", "followYaw"), ...real("reverseFactor", "reverseFactor"), ...real("gearChange", "gearChangeM"),
    ...real("turn", "turnMPerRad"),
  };
}

export function segmentsOf(told: v1.IAnswer): Segment[] {
  const at = (column: number[] | null | undefined, i: number): number => column?.[i] ?? 0;
  return (told.segmentX ?? []).map((x, i) => ({
    x, y: at(told.segmentY, i), yaw: at(told.segmentYaw, i), curvature: at(told.segmentCurvature, i), length: at(told.segmentLength, i),
    turn: at(told.segmentTurn, i), course: at(told.segmentCourse, i),
  }));
}

/** The pose after so many metres of a segment, of its length at most. A turn in place: the pose behind it. */
function poseOn({ x, y, yaw, curvature, length, turn, course }: Segment, metres: number): Pose {
  const along = length < 0 ? -metres : metres;
  if (turn !== 0) {
    return [x, y, yaw + turn];
  }
  if (curvature === 0) {
    return [x + along * Math.cos(yaw + course), y + along * Math.sin(yaw + course), yaw];
  }
  const after = yaw + along * curvature;
  return [x + (Math.sin(after) - Math.sin(yaw)) / curvature, y - (Math.cos(after) - Math.cos(yaw)) / curvature, after];
}

/** The pose after so many metres along a curve that has segments, within its ends. Behind a turn in place the pose after it. */
export function poseAlong(segments: readonly Segment[], distance: number): Pose {
  const first = segments[0]!;
  if (distance < 0) {
    return [first.x, first.y, first.yaw];
  }
  for (const segment of segments) {
    if (distance < Math.abs(segment.length)) {
      return poseOn(segment, distance);
    }
    distance -= Math.abs(segment.length);
  }
  const last = segments[segments.length - 1]!;
  return poseOn(last, Math.abs(last.length));
}
