// One planner on one grid.
import * as check from "./arguments.js";
import { ReplanError } from "./errors.js";

const OUTCOMES = ["found", "no_path", "start_blocked", "goal_blocked"];
const NOT_STARTED = "has no start and goal yet: call setStart() and setGoal()";

/** A path as an array of points [x, y]. */
export function pairs(flat) {
  const path = new Array(flat.length / 2);
  for (let i = 0; i < path.length; i++) {
    path[i] = [flat[2 * i], flat[2 * i + 1]];
  }
  return path;
}

/** The result of a plan. */
export class Plan {
  /** @param {number[]} told in the order of RP_JS_PLAN_.. */
  constructor(module, told) {
    const [outcome, cost, cells, count, expanded, generated, restarts, bytes, planner, why] = told;
    this.outcome = OUTCOMES[outcome];
    this.cost = outcome === 0 ? cost : null;
    this.cells = module.words(cells, 2 * count).slice();
    this.expanded = expanded;
    this.generated = generated;
    this.restarts = restarts;
    this.bytes = bytes;
    this.planner = module.string(planner);
    this.why = module.string(why);
  }

  get path() {
    return pairs(this.cells);
  }
}

export class Planner {
  #module;
  #self;

  /** Use Replan.createPlanner(). */
  constructor(module, options) {
    check.options("options", options, ["matrix", "width", "height", "data", "fill", "neighbors", "wraps", "profile", "planner"]);
    const grid = check.grid("options", options);
    this.width = grid.width;
    this.height = grid.height;
    this.neighbors = check.choice("options.neighbors", options.neighbors ?? 8, [4, 8]);
    this.wraps = check.truth("options.wraps", options.wraps ?? false);
    this.profile = check.choice("options.profile", options.profile ?? "factor", check.PROFILES);
    this.id = check.text("options.planner", options.planner ?? "auto");
    if (this.wraps && (this.width < 3 || this.height < 3)) {
      throw check.invalid("options.wraps", `is true for ${this.width} x ${this.height} cells, a torus has at least 3 x 3`);
    }
    this.#module = module;
    module.lend((put) => {
      module.check(module.exports.planner_new(put.string(this.id), this.width, this.height, this.neighbors, this.wraps,
        check.PROFILES.indexOf(this.profile), module.scratch), `make a planner "${this.id}" for ${this.#about()}`);
    });
    this.#self = module.word(module.scratch);
    try {
      this.#fill(grid);
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** Where paths begin: a cell [x, y]. */
  setStart(start) {
    const self = this.#open();
    const [x, y] = check.cell("start", start, this.width, this.height);
    this.#module.check(this.#module.exports.planner_start(self, x, y), "set the start");
  }

  /** Where they end. */
  setGoal(goal) {
    this.setGoals([goal]);
  }

  /** The cheapest of these counts: cells [x, y], or [x, y, offset] with what it costs to stop there. */
  setGoals(goals) {
    const self = this.#open();
    const flat = [];
    const seen = new Set();
    check.list("goals", goals, 1, 4096).forEach((goal, i) => {
      const name = `goals[${i}]`;
      const [x, y] = check.cell(name, check.list(name, goal, 2, 3).slice(0, 2), this.width, this.height);
      if (seen.has(y * this.width + x)) {
        throw check.invalid(name, `is [${x}, ${y}] again, each goal may come once`);
      }
      seen.add(y * this.width + x);
      flat.push(x, y, goal.length === 3 ? check.whole(`${name}[2]`, goal[2], 0, 0xffffffff) : 0);
    });
    this.#module.lend((put) => this.#module.check(
      this.#module.exports.planner_goals(self, put.words(flat), goals.length), `set the goals of planner "${this.id}"`));
  }

  /** One byte for a cell. */
  setCell(x, y, byte) {
    this.fillRect(x, y, 1, 1, byte);
  }

  /** One byte for single cells [x, y], or bytes of the same number. */
  setCells(cells, byte) {
    const self = this.#open();
    const places = check.cells("cells", cells, this.width, this.height);
    const values = typeof byte === "number" ? null : check.octetsOf("byte", byte, places.length);
    const value = values === null ? check.whole("byte", byte, 0, 255) : 0;
    if (new Set(places).size !== places.length) {
      throw check.invalid("cells", "names a cell twice");
    }
    this.#module.lend((put) => this.#module.check(this.#module.exports.planner_write_cells(self, put.words(places),
      put.bytes(values), places.length, value), "write cells"));
  }

  /** One byte for the cells from (x, y) to (x + width - 1, y + height - 1). */
  fillRect(x, y, width, height, byte) {
    const self = this.#open();
    check.rectangle(x, y, width, height, this);
    check.whole("byte", byte, 0, 255);
    this.#module.check(this.#module.exports.planner_write(self, x, y, width, height, 0, byte), "write cells");
  }

  /** The bytes of these cells, row by row. */
  writeRect(x, y, width, height, data) {
    const self = this.#open();
    check.rectangle(x, y, width, height, this);
    const bytes = check.octetsOf("data", data, width * height);
    this.#module.lend((put) => this.#module.check(
      this.#module.exports.planner_write(self, x, y, width, height, put.bytes(bytes), 0), "write cells"));
  }

  /** Bring the path up to date. @returns {Plan | null} null when the budget of expansions was spent first */
  plan(budget = Infinity) {
    const self = this.#open();
    const { exports } = this.#module;
    const status = exports.planner_plan(self, check.budget("budget", budget));
    if (status === -1) {
      throw new ReplanError("INVALID", `the planner ${NOT_STARTED}`);
    }
    if (this.#module.check(status, "plan") !== 0) {
      return null;
    }
    return new Plan(this.#module, this.#module.doubles(exports.planner_told(self) >>> 0, 10));
  }

  /** Work ahead. @returns true when there is more to do */
  idle(budget) {
    return this.#module.exports.planner_idle(this.#open(), check.budget("budget", budget)) !== 0;
  }

  /** Free its memory. Closing twice is fine. */
  close() {
    if (this.#self !== 0) {
      this.#module.exports.planner_close(this.#self);
      this.#self = 0;
    }
  }

  #about() {
    return `${this.width} x ${this.height} cells, ${this.neighbors} neighbours${this.wraps ? ", a torus" : ""}`;
  }

  #open() {
    if (this.#self === 0) {
      throw new ReplanError("CLOSED", "the planner is closed");
    }
    return this.#self;
  }

  #fill(grid) {
    if (grid.data !== null) {
      this.writeRect(0, 0, this.width, this.height, grid.data);
    } else if (grid.fill !== -1) {
      this.fillRect(0, 0, this.width, this.height, grid.fill);
    }
  }
}

/** A path on a matrix of bytes, matrix[y][x]: 0 blocks, 1 is normal ground, 2 to 254 are dearer. */
export function findPath(module, matrix, from, to, options = {}) {
  check.options("options", options, ["neighbors", "wraps", "profile", "planner"]);
  const grid = check.matrix("matrix", matrix);
  check.cell("from", from, grid.width, grid.height);
  check.cell("to", to, grid.width, grid.height);
  const planner = new Planner(module, { ...options, ...grid });
  try {
    planner.setStart(from);
    planner.setGoal(to);
    return planner.plan();
  } finally {
    planner.close();
  }
}
