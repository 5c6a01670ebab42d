// The world as a replan-script: what `replan solve` reads (files/script.c).
import { factorOf } from "./ground.js";

/** A world of 1s, rectangles over it, and a plan for each pair of ends. */
export function scriptOf({ width, height, profile, data, neighbors, wraps, trips }) {
  const lines = ["replan-script 1", `size ${width} ${height}`, `neighbors ${neighbors}`, `wrap ${Number(wraps)}`];
  const open = new Map(); // runs of the row above, by place, length and factor
  const close = ({ x, y, length, rows, factor }) => lines.push(`set ${x} ${y} ${length} ${rows} ${factor}`);
  for (let y = 0; y <= height; y++) {
    const seen = new Set();
    for (let x = 0; y < height && x < width;) {
      const factor = factorOf(profile, data[y * width + x]);
      let end = x + 1;
      while (end < width && factorOf(profile, data[y * width + end]) === factor) {
        end++;
      }
      if (factor !== 1 && factor !== 255) {
        const key = `${x} ${end} ${factor}`;
        seen.add(key);
        const run = open.get(key) ?? { x, y, length: end - x, rows: 0, factor };
        run.rows++;
        open.set(key, run);
      }
      x = end;
    }
    for (const [key, run] of open) {
      if (!seen.has(key)) {
        close(run);
        open.delete(key);
      }
    }
  }
  for (const [[startX, startY], [goalX, goalY]] of trips) {
    lines.push(`start ${startX} ${startY}`, `goal ${goalX} ${goalY}`, "plan");
  }
  return `${lines.join("\n")}\n`;
}
