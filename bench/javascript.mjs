// replan-engine beside PathFinding.js, in Node, and beside its own planners natively: two tables, as Markdown on stdout.
// usage: node javascript.mjs PACKAGE_FOLDER PEERS_FOLDER [ROUNDS]
//
// Grids of 512 x 512 with a fifth of the cells blocked, from corner to corner, 8 neighbours without cutting corners. Both take turns in
// each round, the median counts, and every cost is compared. PathFinding.js plays on its own terms: its grid is made
// beforehand, and copied for each search, as its manual demands. `findPath` gets a matrix each time. On a change both keep their grids.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { cpus, loadavg } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [, , folder, peers, rounds = "15"] = process.argv;
const require = createRequire(join(resolve(peers), "x.js"));
const PF = require("pathfinding");
const { load } = await import(pathToFileURL(join(resolve(folder), "replan-engine.mjs")));
const replan = await load();

const SIDE = 512;
const START = [0, 0];
const GOAL = [SIDE - 1, SIDE - 1];
const MOVES = { diagonalMovement: PF.DiagonalMovement.OnlyWhenNoObstacles, heuristic: PF.Heuristic.octile };

let state = 1;
function draw(limit) {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * limit);
}

function drawMatrix() {
  const matrix = Array.from({ length: SIDE }, () => Array.from({ length: SIDE }, () => Number(draw(5) !== 0)));
  matrix[0][0] = matrix[SIDE - 1][SIDE - 1] = 1;
  return matrix;
}

/** Its paths by jump points have long steps. */
function costOf(path) {
  let cost = 0;
  for (let i = 1; i < path.length; i++) {
    const dx = Math.abs(path[i][0] - path[i - 1][0]);
    const dy = Math.abs(path[i][1] - path[i - 1][1]);
    cost += Math.max(dx, dy) - Math.min(dx, dy) + Math.min(dx, dy) * Math.SQRT2;
  }
  return path.length === 0 ? null : cost;
}

const median = (list) => [...list].sort((a, b) => a - b)[list.length >> 1];

function timed(act) {
  const began = performance.now();
  const cost = act();
  return { us: (performance.now() - began) * 1000, cost };
}

function check(ours, theirs) {
  if ((ours.cost === null) !== (theirs.cost === null) || Math.abs(ours.cost - theirs.cost) > 1e-6) {
    throw new Error(`costs differ: ${ours.cost} ${theirs.cost}`);
  }
}

/** Medians of a pair of acts over rounds, in turns. */
function row(name, prepare) {
  const us = { ours: [], theirs: [] };
  for (let round = 0; round < Number(rounds); round++) {
    const { ours, theirs, repeats = 1 } = prepare(round);
    for (let i = 0; i < repeats; i++) {
      const { mine = ours, its = theirs } = { mine: () => ours(i), its: () => theirs(i) };
      const [a, b] = round % 2 === 0 ? [timed(mine), timed(its)] : [timed(its), timed(mine)].reverse();
      check(a, b);
      us.ours.push(a.us);
      us.theirs.push(b.us);
    }
  }
  return { name, ours: median(us.ours), theirs: median(us.theirs) };
}

function fromScratch(planner, finder) {
  const matrix = drawMatrix();
  const grid = new PF.Grid(matrix.map((line) => line.map((byte) => 1 - byte)));
  return {
    ours: () => replan.findPath(matrix, START, GOAL, { planner }).cost,
    theirs: () => costOf(finder.findPath(...START, ...GOAL, grid.clone())),
  };
}

function onAChange() {
  const matrix = drawMatrix();
  const grid = new PF.Grid(matrix.map((line) => line.map((byte) => 1 - byte)));
  const finder = new PF.JumpPointFinder(MOVES);
  const planner = replan.createPlanner({ matrix });
  planner.setStart(START);
  planner.setGoal(GOAL);
  planner.plan();
  const changes = Array.from({ length: 40 }, () => [draw(SIDE - 2) + 1, draw(SIDE - 2) + 1]);
  return {
    repeats: changes.length,
    ours: (i) => {
      const [x, y] = changes[i];
      planner.setCell(x, y, 1 - matrix[y][x]);
      return planner.plan().cost;
    },
    theirs: (i) => {
      const [x, y] = changes[i];
      grid.setWalkableAt(x, y, matrix[y][x] === 0);
      return costOf(finder.findPath(...START, ...GOAL, grid.clone()));
    },
  };
}

const rows = [
  row("A* from scratch", () => fromScratch("astar", new PF.AStarFinder(MOVES))),
  row("jump points from scratch", () => fromScratch("jps", new PF.JumpPointFinder(MOVES))),
  row("a cell changes, then the path (its jump points, our `auto`)", onAChange),
];
/** Median microseconds of a plan by planner, natively and as WebAssembly, in turns. */
function besideNative() {
  const programs = [["build/release/tests/random_plans"], [process.execPath, "tests/wasm/wasi.mjs", "build/wasm/tests/random_plans.wasm"]];
  const took = programs.map(() => new Map());
  for (let round = 0; round < 3; round++) {
    programs.forEach(([program, ...rest], i) => {
      for (const line of execFileSync(program, [...rest, "speed", "200"], { encoding: "utf8" }).trim().split("\n")) {
        const [planner, us] = line.split(" ");
        took[i].set(planner, [...(took[i].get(planner) ?? []), Number(us)]);
      }
    });
  }
  return [...took[0].keys()].map((planner) => {
    const [natively, module] = took.map((all) => all.get(planner));
    return { planner, natively: median(natively), module: median(module), times: median(natively.map((us, i) => module[i] / us)) };
  });
}

const natively = besideNative();
const version = (name) => JSON.parse(readFileSync(join(peers, "node_modules", name, "package.json"), "utf8")).version;
const { version: ours } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
const commit = execFileSync("git", ["rev-parse", "--short=8", "HEAD"], { encoding: "utf8" }).trim();
const shown = (us) => (us < 10 ? us.toFixed(2) : us < 100 ? us.toFixed(1) : Math.round(us).toLocaleString("en"));
console.log(`# replan-engine beside PathFinding.js

512 x 512 cells, a fifth blocked, corner to corner, 8 neighbours without cutting corners; medians of ${rounds} grids, in turns; every
cost equal. PathFinding.js ${version("pathfinding")} copies its grid for each search, as it demands; \`findPath\` of replan-engine ${ours} copies
its matrix. Commit ${commit}, Node ${process.versions.node}, V8 ${process.versions.v8}, ${cpus()[0].model}, ${cpus().length} cores, load ${loadavg()[0].toFixed(1)}.

| microseconds | PathFinding.js | replan-engine | times |
|---|---|---|---|
${rows.map((one) => `| ${one.name} | ${shown(one.theirs)} | ${shown(one.ours)} | ${shown(one.theirs / one.ours)} |`).join("\n")}

The same C natively (gcc -O3, with AVX where the machine has it) and as WebAssembly: a cell changes on such a grid, then a plan; medians of three
runs in turns.

| microseconds | native | WebAssembly | times |
|---|---|---|---|
${natively.map((one) => `| ${one.planner} | ${shown(one.natively)} | ${shown(one.module)} | ${one.times.toFixed(2)} |`).join("\n")}
`);
