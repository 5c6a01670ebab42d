// A peer of `replan-bench beyond`: A* or jump points of PathFinding.js. usage: pathfinding.js astar|jps
//
// Input and answers are those of boost_astar.cpp, the time is that on the wall. The library wants a fresh
// copy of its grid for each search; making it is not timed.
"use strict";

const PF = require("pathfinding");
const fs = require("fs");

const which = process.argv[2];
const words = fs.readFileSync(0, "utf8").split(/\s+/);
const [width, height, neighbors, queries] = words.slice(0, 4).map(Number);
const rows = words.slice(4, 4 + height);
const numbers = words.slice(4 + height).map(Number);

const ground = new PF.Grid(rows.map((row) => [...row].map((cell) => (cell === "." ? 0 : 1))));
const diagonalMovement = neighbors === 8 ? PF.DiagonalMovement.OnlyWhenNoObstacles : PF.DiagonalMovement.Never;
const options = { diagonalMovement, heuristic: neighbors === 8 ? PF.Heuristic.octile : PF.Heuristic.manhattan };
const finder = which === "jps" ? new PF.JumpPointFinder(options) : new PF.AStarFinder(options);

const lines = [];
for (let i = 0; i < queries; i++) {
  const [x, y, goalX, goalY] = numbers.slice(4 * i, 4 * i + 4);
  const grid = ground.clone();
  const begin = process.hrtime.bigint();
  const found = finder.findPath(x, y, goalX, goalY, grid);
  const path = which === "jps" ? PF.Util.expandPath(found) : found;
  const ns = process.hrtime.bigint() - begin;
  let diagonals = 0;
  for (let step = 1; step < path.length; step++) {
    diagonals += path[step][0] !== path[step - 1][0] && path[step][1] !== path[step - 1][1];
  }
  lines.push(path.length === 0 ? `-1 0 ${ns}` : `${path.length - 1 - diagonals} ${diagonals} ${ns}`);
}
process.stdout.write(lines.join("\n") + "\n");
