import type { Point } from "./arguments";
import { v1 } from "./wire";

/** Where the cells of a window lie. */
export interface Frame {
  readonly width: number;
  readonly height: number;
  /** Metres a cell. */
  readonly resolution: number;
  /** x, y in metres and yaw in radians of the lower-left corner of cell (0, 0). */
  readonly origin: [number, number, number];
}

export const NOWHERE: Frame = { width: 0, height: 0, resolution: 1, origin: [0, 0, 0] };

/** Columns and rows that a step leads on, by direction: 0 = +x, then from +x towards +y. */
export const STEPS: readonly Point[] = [[1, 0], [1, 1], [0, 1], [-1, 1], [-1, 0], [-1, -1], [0, -1], [1, -1]];

export function frameOf(geometry: v1.IGeometry | null | undefined): Frame {
  return geometry == null ? NOWHERE : {
    width: geometry.width ?? 0,
    height: geometry.height ?? 0,
    resolution: geometry.resolution ?? 0,
    origin: [geometry.originX ?? 0, geometry.originY ?? 0, geometry.originYaw ?? 0],
  };
}

/** The middle of a cell in metres; it may lie outside. */
export function middle(frame: Frame, x: number, y: number): Point {
  const [originX, originY, yaw] = frame.origin;
  const along = (x + 0.5) * frame.resolution;
  const across = (y + 0.5) * frame.resolution;
  const cosine = Math.cos(yaw);
  const sine = Math.sin(yaw);
  return [originX + cosine * along - sine * across, originY + sine * along + cosine * across];
}

/** Cells in a row as x0, y0, x1, y1, ..; on a torus they run on beyond the edge. */
export function lineOf(start: number, steps: Uint8Array, width: number): Int32Array {
  const line = new Int32Array(2 * (steps.length + 1));
  let x = start % width;
  let y = Math.floor(start / width);
  line[0] = x;
  line[1] = y;
  for (let i = 0; i < steps.length; i++) {
    const [dx, dy] = STEPS[steps[i]! % STEPS.length]!;
    line[2 * i + 2] = x += dx;
    line[2 * i + 3] = y += dy;
  }
  return line;
}

export const pairsOf = (line: Int32Array): Point[] => Array.from({ length: line.length / 2 }, (_, i) => [line[2 * i]!, line[2 * i + 1]!]);
