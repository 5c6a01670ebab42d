// How an agent moves whose path is a curve, and the pieces of such a curve.
import * as check from "./arguments.js";

const CORNERS_MAX = 16; // RP_FOOTPRINT_CORNERS_MAX
const FIRST = 14; // of the doubles of agent_open(): the drive
const FOOTPRINT_FAULT = 4; // RP_MOTION_BAD_FOOTPRINT
const DRIVES = { car: 1, spot: 2, omni: 3 };
const SEGMENT_DOUBLES = 7; // of rp_path_segment_t
const OPTIONS = ["headings", "headingsMost", "boundPercent", "hold", "followYaw", "reverse", "reverseFactor", "gearChange"];

/** What car(), spot() and omni() make, for openAgent({ motion }). */
export class Motion {
  constructor(drive, turningRadius, options, known) {
    check.options("options", options, known);
    const real = (key, absent) => check.real(`options.${key}`, options[key] ?? absent, 0);
    const whole = (key, absent, most) => check.whole(`options.${key}`, options[key] ?? absent, 0, most);
    this.drive = drive;
    this.turningRadius = check.real("turningRadius", turningRadius, 0);
    this.turn = options.turn === undefined ? null : real("turn");
    this.numbers = [
      whole("headings", 0, 64), real("hold", turningRadius), real("followYaw", 0), whole("boundPercent", 10, 50), whole("headingsMost", 0, 64),
      Number(check.truth("options.reverse", options.reverse ?? false)), real("reverseFactor", 0), real("gearChange", 0),
    ];
  }
}

/** Forwards, on arcs of this radius in metres, and on lines; with `reverse` backwards, too. */
export function car(turningRadius, options = {}) {
  return new Motion("car", turningRadius, options, OPTIONS);
}

/** The same, and it turns in place; with radius 0 it drives lines only. */
export function spot(turningRadius = 0, options = {}) {
  return new Motion("spot", turningRadius, options, [...OPTIONS, "turn"]);
}

/** On lines in any direction, whatever its yaw, and turns in place; it has no gears. */
export function omni(options = {}) {
  return new Motion("omni", 0, options, [...OPTIONS.filter((name) => !["reverse", "reverseFactor", "gearChange"].includes(name)), "turn"]);
}

/** The doubles of agent_open() behind those of the body. @param resolution metres a cell */
export function motionNumbers({ motion, footprint = null, padding = 0, radius = 0 }, resolution) {
  const corners = footprint === null ? [] : check.points("options.footprint", footprint, 3, CORNERS_MAX);
  check.real("options.padding", padding, 0);
  if (motion === undefined) {
    if (footprint !== null) {
      throw check.invalid("options.footprint", "is swept along curves: it needs motion");
    }
    return [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
  }
  if (!(motion instanceof Motion)) {
    throw check.wrong("options.motion", motion, "what car(), spot() and omni() make");
  }
  if (footprint !== null && radius !== 0) {
    throw check.invalid("options.footprint", "and radius are two bodies; give one of them");
  }
  const reach = Math.max(radius, ...corners.map(([x, y]) => Math.hypot(x, y)), resolution);
  return [DRIVES[motion.drive], motion.turningRadius, motion.turn ?? reach, ...motion.numbers, padding, corners.length, ...corners.flat()];
}

/** By number of rp_motion_fault_t: which option is wrong, and what it must be. */
const FAULTS = {
  2: ["motion", "has other headings than 8, 16, 32 or 64"],
  3: ["options.radius", "is more than 64 cells"],
  5: ["motion", "has a turningRadius of 0, which is spot()'s, or of more than 64 cells"],
  6: ["motion", "has a turn that is not within 0.01 and 1000 cells"],
  10: ["motion", "has a reverseFactor that is not within 1 and 100, or no reverse"],
  11: ["motion", "has a gearChange of more than 1000 cells, or no reverse"],
  9: ["motion", "has a followYaw of more than pi"],
  12: ["motion", "has too many headings, or too great a turningRadius: no move of up to 8 cells turns by one heading"],
  13: ["motion", "is for a world each side of which is twice the body's radius, and 8 cells where it wraps"],
  14: ["motion", "has too many headings for so many cells"],
};

/** The refusal of motion that agent_open() refused; null: something else was wrong. */
export function motionRefusal(module, world, numbers) {
  return module.lend((put) => {
    const place = put.doubles(numbers);
    const fault = numbers[FIRST] === 0 ? 0 : module.exports.motion_fault(world, place);
    if (fault === FOOTPRINT_FAULT) {
      return check.invalid("options.footprint", module.string(module.exports.footprint_fault(world, place) >>> 0));
    }
    return FAULTS[fault] === undefined ? null : check.invalid(...FAULTS[fault]);
  });
}

/** The pieces of a curve, so many at a place. */
export function segmentsOf(module, place, count) {
  const told = module.doubles(place, SEGMENT_DOUBLES * count);
  return Array.from({ length: count }, (_, i) => {
    const [x, y, yaw, curvature, length, turn, course] = told.subarray(SEGMENT_DOUBLES * i, SEGMENT_DOUBLES * (i + 1));
    return { x, y, yaw, curvature, length, turn, course };
  });
}

/** The pose after so many metres of a segment, of its length at most. A turn in place: the pose behind it. */
function poseOn({ x, y, yaw, curvature, length, turn, course }, metres) {
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

/** The pose after so many metres along a curve, within its ends. Behind a turn in place the pose after it. */
export function poseAlong(segments, distance) {
  let left = Math.max(distance, 0);
  for (const segment of segments) {
    if (left < Math.abs(segment.length)) {
      return poseOn(segment, left);
    }
    left -= Math.abs(segment.length);
  }
  const last = segments.at(-1);
  return poseOn(last, Math.abs(last.length));
}
