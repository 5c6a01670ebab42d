// Units that drive: the engine answers curves, which become poses along them. Both threads use it.
const STEP = 0.25; // cells between two poses, at most
const TURN = 0.1; // radians
const LEAST_HALF = 0.4; // of the breadth of a body, in cells

/** Corners of the body of a unit that drives, in cells: x ahead, y left, the origin between its rear wheels. */
export function bodyOf({ radius }) {
  const half = Math.max(radius, LEAST_HALF);
  return [[2.4 * half, half], [-0.8 * half, half], [-0.8 * half, -half], [2.4 * half, -half]];
}

/** The options of openAgent() behind car(). @param resolution metres a cell */
export function drivenBy(settings, resolution) {
  const radius = settings.turning * resolution;
  return {
    footprint: bodyOf(settings).map((corner) => corner.map((cells) => cells * resolution)),
    turningRadius: radius,
    // No more headings: where these find no path, a search with finer ones keeps the other units waiting for seconds.
    options: { headings: 16, headingsMost: 16, reverse: settings.reverse, ...(settings.reverse ? { gearChange: radius } : {}) },
  };
}

/** Where the body is after a share of a segment: x, y, yaw. */
function poseOn({ x, y, yaw, curvature, length, turn }, share) {
  const [along, after] = [share * length, yaw + share * (turn + length * curvature)];
  return curvature === 0 ? [x + along * Math.cos(yaw), y + along * Math.sin(yaw), after]
    : [x + (Math.sin(after) - Math.sin(yaw)) / curvature, y - (Math.cos(after) - Math.cos(yaw)) / curvature, after];
}

/** Poses along a curve, in cells of the world: x, y, yaw of each. Empty without one. */
export function trackOf(segments, { resolution, origin: [left, bottom, turned] }) {
  const poses = [];
  const add = ([x, y, yaw]) => {
    const [east, north] = [(x - left) / resolution, (y - bottom) / resolution];
    poses.push(Math.cos(turned) * east + Math.sin(turned) * north, Math.cos(turned) * north - Math.sin(turned) * east, yaw - turned);
  };
  segments.forEach((segment) => {
    const { length, curvature, turn } = segment;
    const count = Math.max(Math.ceil(Math.max(Math.abs(length) / resolution / STEP, Math.abs(turn + length * curvature) / TURN)), 1);
    for (let i = 0; i < count; i++) {
      add(poseOn(segment, i / count));
    }
  });
  if (segments.length > 0) {
    add(poseOn(segments.at(-1), 1));
  }
  return Float64Array.from(poses);
}

/** Where the corners of a body are at a pose. */
const cornersAt = (body, x, y, yaw) => body.map(([ahead, beside]) => [
  x + ahead * Math.cos(yaw) - beside * Math.sin(yaw), y + ahead * Math.sin(yaw) + beside * Math.cos(yaw)]);

/** Add the outline of a body at a pose to a path of a canvas. */
export function addBody(context, body, x, y, yaw) {
  cornersAt(body, x, y, yaw).forEach(([cornerX, cornerY], i) => (i === 0 ? context.moveTo(cornerX, cornerY) : context.lineTo(cornerX, cornerY)));
  context.closePath();
}
