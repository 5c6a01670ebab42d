// Units that walk between two ends along the answers of the engine. No path is searched here.
import { drivenBy, trackOf } from "./driving.js";
import { car, target } from "./engine.js";
import { UNKNOWN } from "./ground.js";
import { Why } from "./why.js";

const STEP_BUDGET = 60000; // expansions a tick; small slices cost more in all
const FIRST_BUDGET = 4000; // of the first one, twice as many in the next: the first units walk soon
const FORGET_AFTER_S = 4; // a unit that lost its way looks for another goal then
const TRIES = 20; // ends that a new unit may try before it stands where it is
const RUNNER_EVERY = 8; // one unit in so many is chased when targets move
const PAST = 8; // answers of a unit that are remembered, as many as the engine remembers

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
    this.begin();
  }

  /** Begin with another agent. */
  begin() {
    this.past = []; // what it was told, the newest first
    this.heardSeq = 0;
    this.bestUntil = 0; // version in which no other path was cheaper, as far as is known
    this.moves = new Set(); // "goal", "pose": what was moved since its last answer
    this.leftLine = null; // what was left of its line when it was put elsewhere
  }

  /** Stand on a cell, without a line. */
  rest([x, y]) {
    this.line = Int32Array.of(x, y);
    this.corners = [0];
    this.step = 0; // the cell of the line that it walks to, or stands on
    this.ahead = 0; // the next corner
    this.x = this.beforeX = x + 0.5;
    this.y = this.beforeY = y + 0.5;
    this.track = null; // of one that drives: the poses of its curve, x, y, yaw of each
    this.at = 0; // number of the pose that it drives to
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

  /** Take a curve, which begins where the unit is; its cells were taken as a line. */
  drive(track, width, height) {
    const byX = Math.round((this.x - track[0]) / width) * width;
    const byY = Math.round((this.y - track[1]) / height) * height;
    this.track = track.map((value, i) => value + [byX, byY, 0][i % 3]);
    this.at = 0;
  }

  /** Drive so far along its curve. @returns true at its end */
  advance(length) {
    const { track } = this;
    this.beforeX = this.x;
    this.beforeY = this.y;
    for (let left = length; 3 * this.at < track.length; this.at++) {
      const [x, y, yaw] = track.subarray(3 * this.at, 3 * this.at + 3);
      const distance = Math.hypot(x - this.x, y - this.y);
      const share = distance > left ? left / distance : 1;
      this.x += (x - this.x) * share;
      this.y += (y - this.y) * share;
      this.yaw += Math.atan2(Math.sin(yaw - this.yaw), Math.cos(yaw - this.yaw)) * share;
      if (share < 1) {
        return false;
      }
      left -= distance;
    }
    return true;
  }

  /** Of its line, be on the cell that it drove onto. */
  follow([x, y]) {
    for (let step = this.step + 1; 2 * step < this.line.length && step < this.step + 16; step++) {
      if (this.line[2 * step] === x && this.line[2 * step + 1] === y) {
        this.step = step;
      }
    }
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
  /**
   * @param settings those of settings.js @param {() => number} random @param drawn bytes: nobody begins on an unknown one
   * @param inflates obstacles make the cells around them dear: only costs of a costmap are fine enough for that
   */
  constructor(world, settings, random, drawn, inflates) {
    Object.assign(this, { world, settings, random, drawn, inflates, units: [], byAgent: new Map(), news: [], turned: [], heard: new Set(), budget: FIRST_BUDGET });
    this.counts = { answers: 0, expansions: 0 };
    this.plainSight = world.openAgent({});
    this.#see();
  }

  /** Open the agents that never go anywhere: by them the factors are seen. Throws when a body is refused. */
  #see() {
    const { radius } = this.settings;
    const { width, height, wraps, version } = this.world;
    const sight = this.#open({});
    this.sight?.close();
    this.sight = sight;
    this.factors = sight.factors();
    this.why = new Why({
      width, height, wraps, version, seen: this.factors, plain: this.plainSight.factors(), blockReach: radius,
      reach: Math.max(radius, this.inflates ? this.settings.inflation : 0),
    });
  }

  /** See the ground as the agents' planners do: after each change, so that it is known which version made it. */
  look() {
    const { version } = this.world;
    if (version !== this.why.seen.version) {
      this.factors = this.sight.factors();
      this.why.note(this.factors, this.why.reach > 0 ? this.plainSight.factors() : this.factors, version);
    }
  }

  #open(options) {
    const { radius, inflation, planner, gain } = this.settings;
    const metres = (cells) => cells * this.world.resolution;
    const body = this.inflates && inflation > radius
      ? { inscribedRadius: metres(radius), inflationRadius: metres(inflation), costScalingFactor: 5 / metres(inflation) }
      : { radius: metres(radius) };
    return this.world.openAgent({ ...body, planner, escape: metres(40), switchGainPercent: gain, ...options });
  }

  /** The agent of a unit, where that is. */
  #agentOf(unit) {
    const { settings, world } = this;
    const start = this.middle(unit.cell);
    if (settings.turning === 0) {
      return this.#open({ start });
    }
    unit.yaw ??= this.random() * 2 * Math.PI;
    const { footprint, turningRadius, options } = drivenBy(settings, world.resolution);
    return world.openAgent({
      motion: car(turningRadius, options), footprint, escape: 16 * world.resolution, switchGainPercent: settings.gain,
      start: [...start, unit.yaw + world.origin[2]],
    });
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
      unit.agent = this.#agentOf(unit);
      this.byAgent.set(unit.agent, unit);
      this.units.push(unit);
    }
    this.aimAll();
  }

  /** Open all units anew, where they are, with other bodies or planners. Throws when that is refused; then nothing changes. */
  reopen(settings) {
    const before = this.settings;
    this.settings = settings;
    try {
      this.#see();
    } catch (error) {
      this.settings = before;
      throw error;
    }
    for (const unit of this.units) {
      this.byAgent.delete(unit.agent);
      unit.agent.close();
      unit.rest(this.inside(unit.cell));
      unit.begin();
      unit.agent = this.#agentOf(unit);
      this.byAgent.set(unit.agent, unit);
    }
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
    unit.moves.add("goal");
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
    return this.metres([x + 0.5, y + 0.5]);
  }

  /** A place in cells, in metres. */
  metres(at) {
    const [x, y] = this.inside(at);
    const { resolution, origin: [left, bottom, yaw] } = this.world;
    const [along, across] = [x * resolution, y * resolution];
    return [left + along * Math.cos(yaw) - across * Math.sin(yaw), bottom + along * Math.sin(yaw) + across * Math.cos(yaw)];
  }

  /** Put a unit, or one of its two ends, on a cell. */
  move(unit, what, cell) {
    unit.isPlaced = true;
    unit.tries = TRIES;
    if (what === "unit") {
      unit.leftLine ??= unit.line.subarray(2 * unit.step);
      unit.rest(cell);
      unit.agent.pose(...this.middle(cell));
      unit.moves.add("pose");
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
    const answers = this.world.step(this.budget, nowMs);
    this.budget = Math.min(2 * this.budget, STEP_BUDGET);
    this.look(); // shapes may have expired
    answers.forEach((answer) => this.#hear(answer));
    if (this.settings.gain > 0) {
      this.#noteBest();
    }
    const length = this.settings.speed * seconds;
    const isSure = !this.world.hasWork;
    this.units.forEach((unit) => this.#walk(unit, length, seconds, isSure));
  }

  #hear(answer) {
    const unit = this.byAgent.get(answer.agent);
    if (unit === undefined) {
      return;
    }
    this.heard.add(unit.number);
    this.counts.answers++;
    this.counts.expansions += answer.expansions;
    unit.answer = answer;
    const { width, height } = this.world;
    const before = unit.line.subarray(2 * unit.step);
    const line = answer.line.length > 0 ? wholeLineOf(answer, width, height) : new Int32Array(0);
    this.#remember(unit, answer, unit.leftLine ?? before, line);
    if (line.length > 0) {
      const isOther = !isEnd(line, before);
      unit.take(line, width, height);
      if (this.settings.turning > 0) {
        const track = trackOf(answer.segments, this.world);
        unit.drive(track.length > 0 ? track : Float64Array.of(unit.x, unit.y, unit.yaw), width, height);
      }
      unit.state = STATE.walks;
      unit.lostFor = 0;
      unit.tries = TRIES;
      this.news.push(unit);
      if (isOther && (answer.reason === "invalid" || answer.reason === "cheaper")) {
        this.turned.push(unit);
      }
    } else if (answer.outcome === "arrived") {
      unit.state = STATE.stays;
    } else {
      const { x, y } = unit;
      unit.rest(unit.cell);
      if (this.settings.turning > 0) { // it stands between cells
        Object.assign(unit, { x, y, beforeX: x, beforeY: y });
      }
      unit.state = STATE.lost;
      this.news.push(unit);
    }
  }

  /** Write down what a unit is told, and why. @param before what was left of its line @param after its new one */
  #remember(unit, answer, before, after) {
    const unheard = unit.agent.why().filter(({ pathSeq }) => pathSeq > unit.heardSeq);
    const sureUntil = Math.min(...unheard.map((said) => said.sureUntil));
    const from = this.settings.gain > 0 ? Math.min(sureUntil, unit.bestUntil) : sureUntil;
    const { pathSeq, outcome, reason, cost, expansions, version } = answer;
    const drives = this.settings.turning > 0; // the costs of curves, and what cuts them, are not those of cells
    const isFirst = unit.past.length === 0;
    const moves = isFirst ? [] : this.#movesOf(unit, reason);
    const causes = isFirst || drives ? [] : this.why.causesOf({ before, after, from, to: version, isMoved: moves.length > 0 });
    const hadPath = !isFirst && !drives && unit.past[0].cost !== null && moves.length === 0;
    const costBefore = hadPath && causes !== null ? this.why.costBefore(before, from) / this.unitFactor : null;
    const corners = Int32Array.from(cornersOf(before).flatMap((at) => [before[2 * at], before[2 * at + 1]]));
    unit.past.unshift({ pathSeq, from, version, outcome, reason, cost, costBefore, expansions, moves, causes, isFirst, before: corners });
    unit.past.length = Math.min(unit.past.length, PAST);
    unit.heardSeq = pathSeq;
    unit.moves.clear();
    unit.leftLine = null;
  }

  /** What was moved since the last answer: its goal, itself, its target. */
  #movesOf(unit, reason) {
    const other = unit.moves.size > 0 ? null : reason === "goal" && unit.prey !== null ? "prey" : reason === "off_path" ? "pose" : null;
    return other === null ? [...unit.moves] : [other];
  }

  /** With a policy a path may be kept although another one is cheaper: note until when none was. */
  #noteBest() {
    for (const unit of this.units) {
      if (unit.agent.answer()?.optimal) {
        unit.bestUntil = this.world.version;
      }
    }
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
    const isThere = unit.track !== null ? this.#drive(unit, mayGo ? length * haste : 0, slownessOf) : unit.walk(length * haste, slownessOf, () => {
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

  /** @returns true at the end of its curve */
  #drive(unit, length, slownessOf) {
    const cellOf = () => [Math.floor(unit.x), Math.floor(unit.y)];
    const isThere = unit.advance(length / slownessOf(...cellOf()));
    if (length > 0) {
      unit.follow(cellOf());
      const { origin: [, , turned] } = this.world;
      unit.agent.pose(...this.metres([unit.x, unit.y]), 0, unit.yaw + turned);
    }
    return isThere;
  }

  /** Another goal for a unit that lost its way; for one that is new, another start, too. */
  #anew(unit, isNew) {
    unit.tries++;
    unit.lostFor = 0;
    if (isNew) {
      unit.ends = [this.#place(), this.#place()];
      unit.rest(unit.ends[0]);
      unit.agent.pose(...this.middle(unit.cell));
      unit.moves.add("pose");
    } else {
      unit.ends[unit.toward] = this.#place();
    }
    this.#aim(unit);
  }

  close() {
    [this.sight, this.plainSight, ...this.units.map((unit) => unit.agent)].forEach((agent) => agent.close());
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
