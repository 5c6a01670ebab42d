// Scenes: for each planner a small world and what happens in it, so that its idea is seen. Both threads use them.
//
// A step changes cells or moves an end; then each planner plans once. `say` is told what each did: { expanded, reused,
// raised, reached, levels, cost, planner }. `holds` says of the last plans whether the scene shows what it claims.
import { FREE, WALL } from "./ground.js";
import { randomOf } from "./random.js";
import { Sheet } from "./worlds.js";

const [WIDTH, HEIGHT] = [64, 40];
const WEST = [6, 20];
const EAST = [57, 20];

// ---- worlds

const open = () => {};

/** So many of 100 cells block; not those near the ends. */
const clutter = (share) => (sheet, random) => sheet.each((x, y) => {
  const isNearEnd = [WEST, EAST].some(([endX, endY]) => Math.abs(x - endX) < 3 && Math.abs(y - endY) < 3);
  return random() * 100 < share && !isNearEnd ? WALL : FREE;
});

/** A long wall with a door at its end, and clutter: the way is much longer than it looks. */
const divided = (column) => (sheet, random) => {
  clutter(10)(sheet, random);
  sheet.fill(column, 0, 1, 34, WALL);
  sheet.fill(column - 2, 34, 5, 5, FREE);
};

/** Walls and doors, as people build. */
function rooms(sheet) {
  for (const x of [16, 32, 48]) {
    sheet.fill(x, 0, 1, HEIGHT, WALL);
    [4, 19, 33].forEach((y) => sheet.fill(x, y, 1, 3, FREE));
  }
  for (const y of [12, 27]) {
    sheet.fill(0, y, WIDTH, 1, WALL);
    [7, 23, 39, 55].forEach((x) => sheet.fill(x, y, 3, 1, FREE));
  }
}

/** A bay whose mouth is towards the west. */
function bay(sheet) {
  sheet.fill(44, 6, 1, 29, WALL);
  sheet.fill(20, 6, 24, 1, WALL);
  sheet.fill(20, 34, 24, 1, WALL);
}

/** Ground that is dear in places. */
const hills = (sheet, random) => {
  clutter(8)(sheet, random);
  for (let i = 0; i < 14; i++) {
    const [x, y] = [12 + Math.floor(random() * 36), Math.floor(random() * 34)];
    for (let row = y; row < Math.min(y + 7, HEIGHT); row++) {
      for (let column = x; column < x + 9; column++) {
        if (sheet.at(column, row) === FREE) {
          sheet.fill(column, row, 1, 1, 2 + (i % 3));
        }
      }
    }
  }
};

// ---- changes: rectangles [x, y, width, height] that are walled, or freed

const wall = (...rects) => ({ wall: rects });
const free = (...rects) => ({ free: rects });

// ---- what is said

const cells = (count) => (count === 1 ? "1 cell" : `${count.toLocaleString("en")} cells`);
const both = (a, b) => `${cells(a.expanded)} and ${cells(b.expanded)}`;

const LIST = [
  {
    name: "astar", title: "A*: only what may be cheaper", planners: ["astar"], draw: open,
    steps: [
      { say: (a) => `On open ground A* expands ${cells(a.expanded)}: those through which the way could be as short as it is.` },
      { ...wall([40, 6, 1, 28]), say: (a) => `A wall makes the way longer, so more cells may lie on a shorter one. A* begins anew and looks at each: ${cells(a.expanded)}.` },
    ],
    holds: ([[before], [after]]) => after.expanded > 4 * before.expanded,
  },
  {
    name: "fringe", title: "Fringe Search: A* without a queue", planners: ["fringe", "astar"], draw: clutter(25), neighbors: 4,
    steps: [
      { say: (a, b) => `Fringe Search walks a list, limit by limit, and sorts nothing. It expands ${cells(a.expanded)}, A* ${cells(b.expanded)}; all cells with f below the cost are the same. Go through both by the slider: the order differs.` },
    ],
    holds: ([[a, b]]) => Math.abs(a.expanded - b.expanded) < 0.2 * b.expanded && a.cost === b.cost && a.reused + b.reused === 0,
  },
  {
    name: "me-ida", title: "ME-IDA*: again for each limit", planners: ["me-ida", "astar"], draw: clutter(20), neighbors: 4,
    steps: [
      { say: (a, b) => `IDA* with memory goes down from the start again for each limit on f: ${cells(a.expanded)} expanded, many of them several times. A* expands each once: ${cells(b.expanded)}.` },
    ],
    holds: ([[a, b]]) => a.expanded > 1.2 * b.expanded && a.cost === b.cost,
  },
  {
    name: "fsa", title: "FSA*: the beginning of the search is kept", planners: ["fsa", "astar"], draw: divided(40),
    steps: [
      { say: (a, b) => `The first search of Fringe-Saving A* is an A*: ${both(a, b)} are expanded.` },
      { ...wall([50, 15, 1, 10]), say: (a, b) => `A wall near the goal. What was expanded before the search came there is still right: FSA* keeps ${cells(a.reused)}, puts OPEN back as it was then, and expands ${cells(a.expanded)}. A* expands ${cells(b.expanded)}.` },
    ],
    holds: ([, [a, b]]) => a.reused > 0.4 * b.expanded && a.expanded + a.reused >= 0.8 * b.expanded && a.expanded < 0.75 * b.expanded,
  },
  {
    name: "ia-star", title: "iA*: the old order again, as far as it holds", planners: ["ia-star", "fsa"], draw: divided(40),
    steps: [
      { say: (a, b) => `The first search: ${both(a, b)}.` },
      { ...wall([50, 15, 1, 10]), say: (a, b) => `iA* goes through the old order of expansion again to find OPEN; FSA* has kept copies of it. Both keep the same ${cells(a.reused)} and expand the same: ${both(a, b)}.` },
    ],
    holds: ([, [a, b]]) => a.expanded === b.expanded && a.reused === b.reused && a.reused > 0,
  },
  {
    name: "lpa", title: "LPA*: only cells whose cost is wrong", planners: ["lpa", "astar"], draw: divided(40),
    steps: [
      { say: (a, b) => `The first search of Lifelong Planning A* expands about what A* does: ${both(a, b)}.` },
      { ...wall([52, 16, 1, 8]), say: (a, b) => `A wall near the goal. Only behind it costs from the start are wrong: LPA* takes back ${a.raised}, expands ${cells(a.expanded)}, and leans on ${cells(a.reused)} without a look. A* expands ${cells(b.expanded)}.` },
      { ...free([52, 16, 1, 8]), say: (a, b) => `The wall goes away, and so do the wrong costs: ${cells(a.expanded)} in place of ${cells(b.expanded)}.` },
    ],
    holds: ([, [a, b], [c, d]]) => 3 * (a.expanded + a.raised) < b.expanded && a.raised > 0 && a.reused > a.expanded && 3 * c.expanded < d.expanded,
  },
  {
    name: "dstar-lite", title: "D* Lite: LPA* for somebody who walks", planners: ["dstar-lite", "astar"], draw: divided(24),
    steps: [
      { say: (a, b) => `D* Lite searches from the goal, so that its costs stay right while the start walks: ${both(a, b)}.` },
      { start: [9, 22], ...wall([9, 25, 5, 1]), say: (a, b) => `The robot walked on, and sees a wall. D* Lite expands ${cells(a.expanded)} and takes back ${a.raised} near the robot; the rest of the map, ${cells(a.reused)}, is right as it was. A* expands ${cells(b.expanded)}.` },
      { start: [13, 26], ...wall([15, 30, 6, 1]), say: (a, b) => `Once more: ${cells(a.expanded)} expanded, ${a.raised} taken back; A* expands ${cells(b.expanded)}.` },
    ],
    holds: ([, [a, b], [c, d]]) => 3 * (a.expanded + a.raised) < b.expanded && a.reused > 0 && 2 * (c.expanded + c.raised) < d.expanded,
  },
  {
    name: "dstar-lazy", title: "D* Lite, told late", planners: ["dstar-lazy", "dstar-lite"], draw: divided(24),
    steps: [
      { say: (a, b) => `The first search: ${both(a, b)}.` },
      { ...wall([30, 2, 1, 8], [24, 30, 9, 1], [44, 31, 1, 7]), say: (a, b) => `Walls beside the path. The lazy form hears of an obstacle only where its path leads: it expands ${cells(a.expanded)}. D* Lite puts right what it knows: ${cells(b.expanded + b.raised)}.` },
    ],
    holds: ([, [a, b]]) => a.expanded + a.raised <= b.expanded + b.raised && a.expanded + a.raised === 0,
  },
  {
    name: "gaa", title: "Adaptive A*: the heuristic learns", planners: ["gaa", "astar"], draw: bay,
    steps: [
      { say: (a, b) => `Both walk into the bay: ${both(a, b)}. Adaptive A* remembers for each cell how far from the goal it turned out to be.` },
      { start: [6, 24], say: (a, b) => `The start moved. A* fills the bay again: ${cells(b.expanded)}. Adaptive A* knows that it leads nowhere: ${cells(a.expanded)}; ${cells(a.reused)} that it has learnt of are not met.` },
    ],
    holds: ([, [a, b]]) => 2 * a.expanded < b.expanded && a.reused > 0,
  },
  {
    name: "gaa-eager", title: "Adaptive A*, eager: all at once", planners: ["gaa-eager", "gaa"], draw: bay,
    steps: [
      { say: (a, b) => `The first search: ${both(a, b)}.` },
      { goal: [55, 14], say: (a, b) => `The goal moved. The eager form puts the learnt h of the whole world right at once, the lazy one where it meets it. What they search is the same: ${both(a, b)}; compare the times.` },
    ],
    holds: ([, [a, b]]) => a.expanded === b.expanded && a.cost === b.cost,
  },
  {
    name: "mpgaa", title: "Multipath: an old path that still leads on", planners: ["mpgaa", "gaa"], draw: divided(32),
    steps: [
      { say: (a, b) => `The first search: ${both(a, b)}.` },
      { start: [6, 25], say: (a, b) => `The start moved. Multipath Adaptive A* stops where it meets an old path whose h is still exact: ${cells(a.expanded)}; Adaptive A* goes on to the goal: ${cells(b.expanded)}.` },
    ],
    holds: ([, [a, b]]) => a.expanded < 0.8 * b.expanded && a.cost === b.cost,
  },
  {
    name: "jps", title: "Jump points: cells where a path may turn", planners: ["jps", "astar"], draw: rooms,
    steps: [
      { say: (a, b) => `Jump Point Search runs along lines and stops only where a shortest path may turn: ${cells(a.expanded)}. A* expands ${cells(b.expanded)}.` },
      { ...wall([32, 19, 1, 3]), say: (a, b) => `A door closes: ${cells(a.expanded)}, A* ${cells(b.expanded)}.` },
    ],
    holds: ([[a, b], [c, d]]) => 4 * a.expanded < b.expanded && 4 * c.expanded < d.expanded,
  },
  {
    name: "flow", title: "Flow field: one goal, many starts", planners: ["flow", "astar"], draw: divided(32),
    steps: [
      { say: (a, b) => `The flow field holds what each cell costs from the goal: ${cells(a.expanded)}; A* expands ${cells(b.expanded)}.` },
      { start: [20, 28], say: (a, b) => `Another start. Its cost is known: ${cells(a.expanded)} expanded, a walk downhill. A* begins anew: ${cells(b.expanded)}.` },
      { ...wall([44, 14, 1, 14]), say: (a, b) => `A wall. What leaned on it is taken back (${a.raised}) and filled in again (${a.expanded}), as far as it matters; A*: ${cells(b.expanded)}.` },
    ],
    holds: ([, [a, b], [c]]) => a.expanded === 0 && b.expanded > 50 && a.reused > 0 && c.raised > 0,
  },
  {
    name: "bpa", title: "Bit-parallel A*: whole levels, 64 cells at a time", planners: ["bpa", "astar"], draw: clutter(25), neighbors: 4,
    steps: [
      { say: (a, b) => `All cells of one f are one level: here ${a.levels} of them with ${cells(a.reached)}, found by ${a.counted} looks at words of 64. The slider goes level by level. A* expands ${cells(b.expanded)}, one after the other.` },
    ],
    holds: ([[a, b]]) => a.levels > 1 && a.reached > b.expanded * 0.8 && 2 * a.counted < b.expanded,
  },
  {
    name: "cert", title: "Certificate: a field that proves the path", planners: ["cert", "astar"], draw: divided(32),
    steps: [
      { say: (a, b) => `A field of distances from the goal, as far as it matters: ${both(a, b)}. While it says what the path costs, the path is proven.` },
      { ...wall([24, 4, 1, 9], [8, 30, 6, 1], [46, 8, 9, 1]), say: (a, b) => `Walls beside the path: a look at each cell, and the proof stands. ${cells(a.expanded)} expanded; A*: ${cells(b.expanded)}.` },
      { ...wall([28, 32, 1, 4]), say: (a, b) => `A wall on the path: it is repaired beside the break. ${cells(a.expanded)} expanded; A*: ${cells(b.expanded)}.` },
    ],
    holds: ([, [a, b], [c, d]]) => a.expanded === 0 && b.expanded > 50 && c.expanded > 0 && 2 * c.expanded < d.expanded,
  },
  {
    name: "afa", title: "Anchored field: changes round the goal", planners: ["afa", "astar"], draw: divided(32),
    steps: [
      { say: (a, b) => `The field is rooted at the start, which stays: ${both(a, b)}.` },
      { ...wall([52, 17, 1, 7], [54, 25, 6, 1], [55, 14, 4, 1]), say: (a, b) => `Much changes round the goal. The search comes from there, and stops at the first cell that no change can concern: ${cells(a.expanded)}; A*: ${cells(b.expanded)}.` },
    ],
    holds: ([, [a, b]]) => a.expanded > 0 && 4 * a.expanded < b.expanded && a.reused > 0,
  },
  {
    name: "at", title: "Anchored for moving targets", planners: ["at", "astar"], draw: divided(32),
    steps: [
      { say: (a, b) => `A field of costs from where the start once was: ${both(a, b)}.` },
      { start: [9, 22], goal: [57, 23], say: (a, b) => `Hunter and prey moved. The field still bounds each way from below: ${cells(a.expanded)} expanded; A*: ${cells(b.expanded)}.` },
      { start: [12, 26], goal: [55, 26], say: (a, b) => `They move on: ${cells(a.expanded)}; A*: ${cells(b.expanded)}.` },
    ],
    holds: ([, [a, b], [c, d]]) => 2 * a.expanded < b.expanded && 3 * c.expanded < d.expanded,
  },
  {
    name: "lwf", title: "Low water: a robot on dear ground", planners: ["lwf", "astar"], draw: hills,
    steps: [
      { say: (a, b) => `The field is rooted at the goal, on the cheapest ground that was ever seen: ${both(a, b)}.` },
      { start: [10, 20], ...wall([14, 20, 1, 3]), say: (a, b) => `Something stands before the robot. The search comes from the robot and ends at the level that no change has touched: ${cells(a.expanded)}; A*: ${cells(b.expanded)}.` },
      { ...free([14, 20, 1, 3]), say: (a, b) => `It goes away: ${cells(a.expanded)}; A*: ${cells(b.expanded)}.` },
    ],
    holds: ([, [a, b], [c, d]]) => 2 * a.expanded < b.expanded && 2 * c.expanded < d.expanded && a.reused > 0,
  },
  {
    name: "auto", title: "Auto: by what the workload is", planners: ["auto", "astar"], draw: clutter(15),
    steps: [
      { say: (a, b) => `The first plan is that of ${a.planner}: ${both(a, b)}.` },
      ...[[52, 16, 1, 8], [48, 15, 1, 6], [46, 21, 1, 7], [50, 12, 1, 5], [44, 18, 1, 6], [54, 22, 1, 4]].map((rect, i) => ({
        ...wall(rect), say: (a, b) => `Change ${i + 1} near the goal, planned by ${a.planner}${a.why === "" ? "" : ` (${a.why})`}: ${cells(a.expanded)}; A*: ${cells(b.expanded)}.`,
      })),
    ],
    holds: (all) => all.every(([a, b]) => a.cost === b.cost) && new Set(all.map(([a]) => a.planner)).size > 1 && all.at(-1)[0].expanded < all.at(-1)[1].expanded,
  },
];

/** The scenes, all with the same fields. */
export const SCENES = LIST.map((scene) => ({ neighbors: 8, start: WEST, goal: EAST, seed: 3, ...scene }));

/** The world of a scene, as makeWorld() gives worlds. */
export function worldOf({ name, title, seed, draw, steps, start, goal }) {
  const sheet = new Sheet(WIDTH, HEIGHT, FREE);
  draw(sheet, randomOf(seed));
  steps.flatMap(({ start: from, goal: to }) => [from, to]).concat([start, goal]).filter((end) => end !== undefined)
    .forEach(([x, y]) => sheet.fill(x - 1, y - 1, 3, 3, FREE));
  return { name, title, width: WIDTH, height: HEIGHT, data: sheet.data, profile: "play", resolution: 1 };
}

/** The cells of rectangles. */
export const cellsIn = (rects = []) => rects.flatMap(([x, y, width, height]) => Array.from({ length: width * height },
  (_, i) => (y + Math.floor(i / width)) * WIDTH + x + (i % width)));
