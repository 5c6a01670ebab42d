// A world with its units, as the worker holds it: what people draw, churn, and what the page is told of it.
import { Churn } from "./churn.js";
import { bodyOf } from "./driving.js";
import { PLAY_PROFILE, materialsOf, unitOf } from "./ground.js";
import { randomOf } from "./random.js";
import { Rivals } from "./rivals.js";
import { STATE, Traffic } from "./traffic.js";

const UNDO_MOST = 200;
const STAGED = { groups: 3, copies: 25 }; // of each planner of a scene, where one plan alone is timed

/** What is drawn of a unit's way: the corners of its line, by cells; of one that drives the poses of its curve. */
const lineOf = ({ track, corners, line }) => (track === null ? Int32Array.from(corners.flatMap((at) => [line[2 * at], line[2 * at + 1]]))
  : Float32Array.from(track.filter((_, i) => i % 3 !== 2), (value) => value - 0.5));

export class Scene {
  #replan;
  #undo = []; // strokes, each { stroke, cells, before }
  #shownBytes;
  #shownFactors;
  #shownVersion = -1;
  #rivals = null;
  #seconds = 0;

  /** @param made what makeWorld() gives, or a map @param drawn its bytes with what a link or people drew */
  constructor(replan, made, drawn, settings, seed) {
    Object.assign(this, { made, drawn, settings, chosen: null, staged: null, showsSearches: false });
    this.#replan = replan;
    const { width, height, profile, resolution, origin = [0, 0, 0] } = made;
    this.width = width;
    this.height = height;
    this.profile = profile;
    this.random = randomOf(seed + 1);
    this.world = replan.createWorld({
      width, height, data: drawn, profile, resolution, origin, wraps: settings.torus, neighbors: settings.corners ? 8 : 4,
      ...(profile === "play" ? { profiles: [PLAY_PROFILE] } : {}),
    });
    try {
      this.traffic = new Traffic(this.world, settings, this.random, drawn, profile === "costmap");
    } catch (error) {
      this.world.close();
      throw error;
    }
    this.traffic.unitFactor = unitOf(profile);
    this.churn = new Churn(this.random, profile, width, height, this.drawn);
    this.traffic.resize(settings.units);
    this.#shownBytes = this.world.snapshot();
    this.#shownFactors = this.traffic.factors;
  }

  /** What the page draws first. */
  told() {
    const { width, height, profile, made: { name, title, resolution }, settings } = this;
    return {
      type: "world", isStaged: this.staged !== null, width, height, profile, name, title, resolution, wraps: this.world.wraps, settings,
      bytes: this.#shownBytes.slice(), factors: this.#shownFactors.slice(),
    };
  }

  // ---- what people do

  /** Other settings; those that a world or an agent is opened with are not for here. */
  set(settings) {
    const before = this.settings;
    const isOther = (...names) => names.some((name) => settings[name] !== before[name]);
    if (isOther("planner", "radius", "inflation", "gain", "turning", "reverse")) {
      this.traffic.reopen(settings);
    }
    this.settings = settings;
    this.traffic.settings = settings;
    if (isOther("units")) {
      this.traffic.resize(settings.units);
    } else if (isOther("chase")) {
      this.traffic.aimAll();
    }
  }

  /** Draw on cells: what "free", "wall", "building" and so on write, or a level of terrain. A stroke is undone as one. */
  paint(cells, material, level, stroke) {
    const materials = materialsOf(this.profile);
    const byte = material === "terrain" ? materials.terrain[level] : materials[material];
    const inside = [...new Set(cells)].filter((cell) => cell < this.drawn.length);
    if (inside.length > 0 && byte !== undefined) {
      this.#undo.push({ stroke, cells: inside, before: inside.map((cell) => this.drawn[cell]) });
      this.#undo.splice(0, this.#undo.length - UNDO_MOST);
      this.#write(inside, inside.map(() => byte));
    }
  }

  undo() {
    const stroke = this.#undo.at(-1)?.stroke;
    while (this.#undo.length > 0 && this.#undo.at(-1).stroke === stroke) {
      const { cells, before } = this.#undo.pop();
      this.#write(cells, before);
    }
  }

  #write(cells, values) {
    cells.forEach((cell, i) => {
      this.drawn[cell] = values[i];
    });
    this.churn.forget(cells);
    this.world.setCells(cells.map((cell) => [cell % this.width, Math.floor(cell / this.width)]), values);
    this.traffic.look();
  }

  move(number, what, cell) {
    const unit = this.traffic.units[number];
    if (this.staged !== null && unit === undefined) {
      this.staged.move(what, cell);
    } else if (unit !== undefined) {
      this.traffic.move(unit, what, cell);
    }
  }

  choose(number) {
    this.chosen = this.traffic.units[number] ?? null;
  }

  /** Let two planners plan for the chosen unit; null: none. */
  compare(ids) {
    this.#rivals?.close();
    this.#rivals = null;
    if (ids !== null) {
      this.#rivals = new Rivals(this.#replan, ids, this.world, this.profile, this.traffic.factors, this.staged === null ? undefined : STAGED);
    }
  }

  /** What if there were a building? Costs before and after of each unit; null: no path. */
  whatIf({ x, y, width, height }) {
    const { units } = this.traffic;
    const byte = materialsOf(this.profile).building;
    const costs = this.world.probe({ x, y, width, height, byte }, units.map(({ agent }) => agent));
    return costs.map(([before, after], unit) => ({ unit, before, after }))
      .filter(({ before, after }) => before !== null && (after === null || after > before + 1e-6));
  }

  // ---- time

  /** A tick. @returns what the page is told, and the buffers in it that may be moved */
  tick(seconds, nowMs) {
    this.#seconds += seconds;
    const { traffic, world } = this;
    const occupied = new Set(traffic.units.flatMap(({ cell, goal }) => [cell, goal].map((at) => this.#numberOf(at))));
    for (const { x, y, width, height, data } of this.churn.tick(seconds, this.#seconds, this.settings.churn,
      (cell) => !occupied.has(cell))) {
      world.writeRect(x, y, width, height, data);
      traffic.look();
    }
    const from = performance.now();
    const searched = this.#hear(() => traffic.tick(seconds, nowMs));
    const engineMs = performance.now() - from;
    const isOther = world.version !== this.#shownVersion;
    this.#compete();
    const told = { type: "tick", seconds, engineMs, version: world.version, counts: { ...traffic.counts }, bytesInUse: this.#replan.heapBytes, ...this.#units() };
    return { ...told, changed: isOther ? this.#changes() : null, chosen: this.#chosen(), rivals: this.#rivals?.told() ?? null, staged: this.staged?.told() ?? null, searched };
  }

  /** Let the units be planned for. @returns what was searched, and for whom there is news; null: nobody wants to see it */
  #hear(act) {
    const { traffic } = this;
    traffic.heard = new Set();
    if (!this.showsSearches) {
      act();
      return null;
    }
    const { words } = this.#replan.trace(this.width, false, act);
    return { words, heard: [...traffic.heard] };
  }

  #numberOf(cell) {
    const [x, y] = this.traffic.inside(cell);
    return y * this.width + x;
  }

  #compete() {
    if (this.staged !== null) {
      this.#rivals?.update(this.traffic.factors, this.staged.start, this.staged.goal);
      return;
    }
    const unit = this.chosen ?? this.traffic.units.find(({ state }) => state === STATE.walks);
    if (this.#rivals !== null && unit !== undefined) {
      this.#rivals.update(this.traffic.factors, this.traffic.inside(unit.cell), this.traffic.inside(this.#goalOf(unit)));
    }
  }

  #goalOf(unit) {
    return unit.prey === null ? unit.goal : unit.prey.cell;
  }

  /** Places, states and new lines of the units. */
  #units() {
    const { units, news, turned } = this.traffic;
    const places = new Float32Array(4 * units.length);
    const states = new Uint8Array(units.length);
    const ahead = new Uint16Array(units.length);
    const yaws = new Float32Array(units.length).fill(NaN); // of those that drive
    const goals = new Int16Array(2 * units.length);
    units.forEach((unit, i) => {
      places.set([unit.beforeX, unit.beforeY, unit.x, unit.y], 4 * i);
      states[i] = unit.state + (this.traffic.isRunner(unit) ? 16 : 0);
      ahead[i] = unit.track === null ? unit.ahead : unit.at;
      yaws[i] = this.settings.turning > 0 ? unit.yaw : NaN;
      goals.set(this.traffic.inside(this.#goalOf(unit)), 2 * i);
    });
    const lines = [...new Set(news)].filter((unit) => units[unit.number] === unit)
      .map((unit) => [unit.number, lineOf(unit), turned.includes(unit), unit.track?.filter((_, i) => i % 3 === 2) ?? null]);
    this.traffic.news = [];
    this.traffic.turned = [];
    return { places, states, ahead, goals, lines, yaws, body: bodyOf(this.settings) };
  }

  /** The cells that look different since the page was last told. */
  #changes() {
    const bytes = this.world.snapshot();
    const { factors } = this.traffic;
    const cells = [];
    for (let i = 0; i < bytes.length; i++) {
      if (bytes[i] !== this.#shownBytes[i] || factors[i] !== this.#shownFactors[i]) {
        cells.push(i);
      }
    }
    this.#shownBytes = bytes;
    this.#shownFactors = factors;
    this.#shownVersion = this.world.version;
    return {
      cells: Uint32Array.from(cells), bytes: Uint8Array.from(cells, (cell) => bytes[cell]),
      factors: Uint8Array.from(cells, (cell) => factors[cell]),
    };
  }

  #chosen() {
    const unit = this.chosen;
    if (unit === null || this.traffic.units[unit.number] !== unit) {
      return null;
    }
    const { answer, ends, toward, state, past, number } = unit;
    const newest = unit.agent.answer(); // a kept path may have become dearer since it was told, or another one cheaper
    return {
      number, state, toward, ends: ends.map((end) => this.traffic.inside(end)), said: past, since: this.traffic.why.since,
      cost: answer?.cost ?? null, version: answer?.version ?? 0, from: answer?.path[0] ?? null, outcome: answer?.outcome ?? "none", planner: answer?.planner ?? "",
      keeps: newest === null || newest.optimal ? 0 : newest.cost - newest.bound,
      steps: Math.max(unit.line.length / 2 - 1 - unit.step, 0), isHunting: unit.prey !== null,
    };
  }

  /** The world as the units' planners see it, and their ends, for a script. */
  script() {
    const { width, height, world: { neighbors, wraps }, traffic } = this;
    const { factors, unitFactor: unit } = traffic;
    const isFree = (cell) => factors[this.#numberOf(cell)] !== 0;
    const trips = traffic.units.map((one) => [traffic.inside(one.cell), traffic.inside(this.#goalOf(one))])
      .filter(([start, goal]) => isFree(start) && isFree(goal));
    return { width, height, factors, unit, neighbors, wraps, trips };
  }

  close() {
    this.#rivals?.close();
    this.world.close();
  }
}
