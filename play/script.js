// The world as a replan-script: what `replan run` reads (files/script.c).

/**
 * A world of normal ground, rectangles over it, and a plan for each pair of ends.
 * @param factors as planners see them: 0 blocks @param unit the factor of normal ground; costs are so many times greater
 */
export function scriptOf({ width, height, factors, unit, neighbors, wraps, trips }) {
  const lines = ["replan-script 1", `size ${width} ${height}`, `neighbors ${neighbors}`, `wrap ${Number(wraps)}`];
  if (unit !== 1) {
    lines.push(`set 0 0 ${width} ${height} ${unit} # normal ground: costs are ${unit} times those of the page`);
  }
  const open = new Map(); // runs of the row above, by place, length and factor
  const close = ({ x, y, length, rows, factor }) => lines.push(`set ${x} ${y} ${length} ${rows} ${factor}`);
  for (let y = 0; y <= height; y++) {
    const seen = new Set();
    for (let x = 0; y < height && x < width;) {
      const factor = factors[y * width + x];
      let end = x + 1;
      while (end < width && factors[y * width + end] === factor) {
        end++;
      }
      if (factor !== unit) {
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
