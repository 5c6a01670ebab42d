// Units that walk between two ends along the answers of the engine. No path is searched here.
import { target } from "./engine.js";
import { UNKNOWN } from "./ground.js";

const STEP_BUDGET = 60000; // expansions a tick; small slices cost more in all
const FORGET_AFTER_S = 4; // a unit that lost its way looks for another goal then
const TRIES = 20; // ends that a new unit may try before it stands where it is
const RUNNER_EVERY = 8; // one unit in so many is chased when targets move

export const STATE = { walks: 0, waits: 1, lost: 2, stays: 3 };

/** The corners of a line x0, y0, x1, y1, ..: where it begins, turns and ends, as numbers of its cells. */
function cornersOf(line) {
  const corners = [0];
  for (let i = 1; i + 1 < line.length / 2; i++) {
    const bends = line[2 * i] - line[2 * i - 2] !== line[2 * i + 2] - line[2 * i]
      || line[2 * i + 1] - line[2 * i - 1] !== line[2 * i + 3] - line[2 * i + 1];
    if (bends) {
      corners.push(i);
    }
  }
  if (line.length > 2) {
    corners.push(line.length / 2 - 1);
  }
  return corners;
}

class Unit {
  constructor(number, home, goal) {
    Object.assign(this, { number, ends: [home, goal], toward: 1, state: STATE.waits, tries: 0, lostFor: 0, isPlaced: false });
    this.rest(home);
  }

  /** Stand on a cell, without a line. */
  rest([x, y]) {
    this.line = Int32Array.of(x, y);
    this.corners = [0];
    this.step = 0; // the cell of the line that it walks to, or stands on
    this.ahead = 0; // the next corner
    this.x = this.beforeX = x + 0.5;
    this.y = this.beforeY = y + 0.5;
  }

  get goal() {
    return this.ends[this.toward];
  }

  /** The cell that the engine knows it on, in the unit's own frame. */
  get cell() {
    return [this.line[2 * this.step], this.line[2 * this.step + 1]];
  }

  /** Take another line, which begins where the unit goes to or stands. On a torus it may begin a world further. */
  take(line, width, height) {
    const [x, y] = this.cell;
    const byX = Math.round((x - line[0]) / width) * width;
    const byY = Math.round((y - line[1]) / height) * height;
    this.x -= byX;
    this.y -= byY;
    this.beforeX -= byX;
    this.beforeY -= byY;
    this.line = line;
    this.corners = cornersOf(line);
    this.step = 0;
    this.ahead = 0;
  }

  /** Walk so far, in cells of normal ground. @returns true when it stands on its last cell */
  walk(length, slownessOf, enter) {
    this.beforeX = this.x;
    this.beforeY = this.y;
    for (let left = length; ;) {
      const [x, y] = this.cell;
      const [dx, dy] = [x + 0.5 - this.x, y + 0.5 - this.y];
      const distance = Math.hypot(dx, dy);
      const reach = left / slownessOf(x, y);
      if (reach < distance) {
        this.x += (dx / distance) * reach;
        this.y += (dy / distance) * reach;
        return false;
      }
      left -= distance * slownessOf(x, y);
      this.x = x + 0.5;
      this.y = y + 0.5;
      if (2 * (this.step + 1) >= this.line.length) {
        return true;
      }
      if (!enter()) {
        return false;
      }
      this.step++;
      while (this.corners[this.ahead] < this.step) {
        this.ahead++;
      }
    }
  }
}

export class Traffic {
  /** @param settings those of settings.js @param {() => number} random @param drawn bytes: nobody begins on an unknown one */
  constructor(world, settings, random, drawn) {
    Object.assign(this, { world, settings, random, drawn, units: [], byAgent: new Map(), news: [], turned: [] });
    this.counts = { answers: 0, expansions: 0 };
    this.sight = this.#open({}); // it never goes anywhere: by it the factors are seen
    this.look();
  }

  /** See the ground as the agents' planners do. */
  look() {
    this.factors = this.sight.factors();
  }

  #open(options) {
    const { radius, inflation, planner } = this.settings;
    const metres = (cells) => cells * this.world.resolution;
    const body = inflation > radius
      ? { inscribedRadius: metres(radius), inflationRadius: metres(inflation), costScalingFactor: 5 / metres(inflation) }
      : { radius: metres(radius) };
    return this.world.openAgent({ ...body, planner, escape: metres(40), ...options });
  }

  /** Have so many units: open some, or close the last ones. */
  resize(count) {
    while (this.units.length > count) {
      const unit = this.units.pop();
      this.byAgent.delete(unit.agent);
      unit.agent.close();
    }
    while (this.units.length < count) {
      const unit = new Unit(this.units.length, this.#place(), this.#place());
      unit.agent = this.#open({ start: this.middle(unit.cell) });
      this.byAgent.set(unit.agent, unit);
      this.units.push(unit);
    }
    this.aimAll();
  }

  /** Open all units anew, where they are, with other bodies or planners. Throws when that is refused; then nothing changes. */
  reopen(settings) {
    const before = this.settings;
    this.settings = settings;
    let sight;
    try {
      sight = this.#open({});
    } catch (error) {
      this.settings = before;
      throw error;
    }
    this.sight.close();
    this.sight = sight;
    for (const unit of this.units) {
      this.byAgent.delete(unit.agent);
      unit.agent.close();
      unit.rest(this.inside(unit.cell));
      unit.agent = this.#open({ start: this.middle(unit.cell) });
      this.byAgent.set(unit.agent, unit);
    }
    this.look();
    this.aimAll();
  }

  aimAll() {
    this.units.forEach((unit) => this.#aim(unit));
  }

  /** Whether a unit is one that others chase. */
  isRunner(unit) {
    return this.settings.chase && unit.number % RUNNER_EVERY === 0;
  }

  #aim(unit) {
    const isHunter = this.settings.chase && !this.isRunner(unit) && !unit.isPlaced;
    unit.prey = isHunter ? this.units[unit.number - (unit.number % RUNNER_EVERY)] : null;
    unit.agent.goto(isHunter ? target(unit.prey.agent) : this.middle(unit.goal));
    unit.state = STATE.waits;
  }

  /** Some cell that no body is too broad for; any, when there is none. */
  #place() {
    const { width, height } = this.world;
    for (let i = 0; i < 400; i++) {
      const [x, y] = [Math.floor(this.random() * width), Math.floor(this.random() * height)];
      if (this.factors[y * width + x] !== 0 && this.drawn[y * width + x] !== UNKNOWN) {
        return [x, y];
      }
    }
    const free = this.factors.findIndex((factor) => factor !== 0);
    return free < 0 ? [0, 0] : [free % width, Math.floor(free / width)];
  }

  /** A cell of the world for one in a unit's own frame, which runs on beyond the edge. */
  inside([x, y]) {
    const { width, height } = this.world;
    return [((x % width) + width) % width, ((y % height) + height) % height];
  }

  /** The middle of a cell, in metres. */
  middle(cell) {
    const [x, y] = this.inside(cell);
    const { resolution, origin: [left, bottom, yaw] } = this.world;
    const [along, across] = [(x + 0.5) * resolution, (y + 0.5) * resolution];
    return [left + along * Math.cos(yaw) - across * Math.sin(yaw), bottom + along * Math.sin(yaw) + across * Math.cos(yaw)];
  }

  /** Put a unit, or one of its two ends, on a cell. */
  move(unit, what, cell) {
    unit.isPlaced = true;
    unit.tries = TRIES;
    if (what === "unit") {
      unit.rest(cell);
      unit.agent.pose(...this.middle(cell));
      unit.state = STATE.waits;
    } else {
      unit.ends[what === "start" ? 0 : 1] = cell;
      unit.toward = what === "start" ? unit.toward : 1;
      this.#aim(unit);
    }
  }

  // ---- a tick

  /** Take what the engine says, then walk. */
  tick(seconds, nowMs) {
    this.world.step(STEP_BUDGET, nowMs).forEach((answer) => this.#hear(answer));
    const length = this.settings.speed * seconds;
    const isSure = !this.world.hasWork;
    this.units.forEach((unit) => this.#walk(unit, length, seconds, isSure));
  }

  #hear(answer) {
    const unit = this.byAgent.get(answer.agent);
    if (unit === undefined) {
      return;
    }
    this.counts.answers++;
    this.counts.expansions += answer.expansions;
    unit.answer = answer;
    const before = unit.line.subarray(2 * unit.step);
    if (answer.line.length > 0) {
      const line = wholeLineOf(answer, this.world.width, this.world.height);
      const isOther = !isEnd(line, before);
      unit.take(line, this.world.width, this.world.height);
      unit.state = STATE.walks;
      unit.lostFor = 0;
      unit.tries = TRIES;
      this.news.push(unit);
      if (isOther && (answer.reason === "invalid" || answer.reason === "cheaper")) {
        this.turned.push(unit);
        unit.cut = answer.reason === "invalid" ? this.#cutsOf(before) : [];
      }
    } else if (answer.outcome === "arrived") {
      unit.state = STATE.stays;
    } else {
      unit.cut = this.#cutsOf(before);
      unit.rest(unit.cell);
      unit.state = STATE.lost;
      this.news.push(unit);
    }
  }

  /** The cells of a line that block now: because of them the unit had to turn. */
  #cutsOf(line) {
    const cuts = [];
    for (let i = 2; i < line.length; i += 2) {
      const [x, y] = this.inside([line[i], line[i + 1]]);
      if (this.factors[y * this.world.width + x] === 0) {
        cuts.push(x, y);
      }
    }
    return cuts;
  }

  #walk(unit, length, seconds, isSure) {
    if (unit.state === STATE.lost) {
      unit.beforeX = unit.x;
      unit.beforeY = unit.y;
      unit.lostFor += seconds;
      const isNew = unit.tries < TRIES;
      if (isNew || (unit.lostFor > FORGET_AFTER_S && !unit.isPlaced)) {
        this.#anew(unit, isNew);
      }
      return;
    }
    const mayGo = isSure || unit.agent.answer() !== null;
    const { width } = this.world;
    const unitFactor = this.unitFactor;
    const slownessOf = (x, y) => {
      const [column, row] = this.inside([x, y]);
      return Math.max(this.factors[row * width + column] / unitFactor, 1);
    };
    const haste = this.isRunner(unit) ? 1.2 : 1;
    const isThere = unit.walk(length * haste, slownessOf, () => {
      if (!mayGo) {
        return false;
      }
      const next = unit.step + 1;
      unit.agent.pose(...this.middle([unit.line[2 * next], unit.line[2 * next + 1]]));
      return true;
    });
    if (isThere && mayGo && unit.prey === null && unit.state === STATE.walks) {
      unit.toward = 1 - unit.toward;
      this.#aim(unit);
    }
  }

  /** Another goal for a unit that lost its way; for one that is new, another start, too. */
  #anew(unit, isNew) {
    unit.tries++;
    unit.lostFor = 0;
    if (isNew) {
      unit.ends = [this.#place(), this.#place()];
      unit.rest(unit.ends[0]);
      unit.agent.pose(...this.middle(unit.cell));
    } else {
      unit.ends[unit.toward] = this.#place();
    }
    this.#aim(unit);
  }

  close() {
    [this.sight, ...this.units.map((unit) => unit.agent)].forEach((agent) => agent.close());
  }
}

/** The way out of blocked cells, if there is one, and the path, as one line that runs on beyond the edge of a torus. */
function wholeLineOf(answer, width, height) {
  const near = (value, other, side) => value + Math.round((other - value) / side) * side;
  const line = [...answer.line];
  for (const [x, y] of answer.way.slice(0, -1).reverse()) {
    line.unshift(near(x, line[0], width), near(y, line[1], height));
  }
  return Int32Array.from(line);
}

/** True when a line is how another one ends. */
function isEnd(line, other) {
  const shift = other.length - line.length;
  if (shift < 0) {
    return false;
  }
  const [byX, byY] = [other[shift] - line[0], other[shift + 1] - line[1]];
  return line.every((value, i) => value + (i % 2 === 0 ? byX : byY) === other[shift + i]);
}
