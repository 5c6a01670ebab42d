// A world that changes, and agents whose paths are kept true.
import { AGENT_OPTIONS, Agent, agentNumbers } from "./agent.js";
import { ANSWER_TOLD, Answer } from "./answer.js";
import * as check from "./arguments.js";
import { ReplanError } from "./errors.js";
import { GOAL_OPTIONS, aimNumbers, goalOf, goalOptions, places } from "./goals.js";
import { motionRefusal } from "./motion.js";
import { StagedChange } from "./staged.js";

const ID_MAX = 0xffffffff;
const UNKNOWN = ["free", "blocked"];
const QUERY = { costs: 0, probe: 1, field: 2 };
const QUERY_TOLD = 9; // RP_JS_QUERY_TOLD
const CORNERS_MAX = 64; // RP_CORNERS_MAX
const NO_STEP = 255;
const RECTS_MAX = 1024; // RP_WINDOW_RECTS_MAX

/** A cost as the engine tells it: -1 is none, as there is no path. */
const costOf = (value) => (value < 0 ? null : value);

/** Where an agent begins: a point, with motion a pose. */
function startOf({ start, motion }) {
  if (motion === undefined) {
    return check.point("options.start", start);
  }
  if (check.list("options.start", start).length !== 3) {
    throw check.invalid("options.start", `has ${start.length} entries, with motion it must be [x, y, yaw]`);
  }
  return Array.from(start, (entry, i) => check.real(`options.start[${i}]`, entry));
}

export class World {
  #module;
  #self;
  #agents = new Map(); // by id
  #staged = new Set();
  #nowUs = 0;
  #hasWork = false;

  /** Use Replan.createWorld(). */
  constructor(module, options) {
    check.options("options", options, ["matrix", "width", "height", "data", "fill", "neighbors", "wraps", "profile", "profiles",
      "resolution", "origin"]);
    const grid = check.grid("options", options);
    const neighbors = check.choice("options.neighbors", options.neighbors ?? 8, [4, 8]);
    const wraps = check.truth("options.wraps", options.wraps ?? false);
    const resolution = check.real("options.resolution", options.resolution ?? 1, Number.MIN_VALUE);
    const origin = check.list("options.origin", options.origin ?? [0, 0, 0], 2, 3);
    const frame = [0, 1, 2].map((i) => check.real(`options.origin[${i}]`, origin[i] ?? 0));
    const profile = options.profile == null ? null : check.text("options.profile", options.profile);
    const profiles = check.list("options.profiles", options.profiles ?? [], 0, 16);
    if (wraps && (grid.width < 3 || grid.height < 3)) {
      throw check.invalid("options.wraps", `is true for ${grid.width} x ${grid.height} cells, a torus has at least 3 x 3`);
    }
    this.#module = module;
    module.lend((put) => {
      const numbers = put.doubles([grid.width, grid.height, neighbors, wraps, resolution, ...frame, grid.fill, profiles.length]);
      const words = put.words(profiles.flatMap((entry, i) => profileWords(put, `options.profiles[${i}]`, entry)));
      const name = put.string(profile);
      const given = grid.data === null ? 0 : module.allocate(grid.data.length);
      module.bytes.set(grid.data ?? [], given);
      module.check(module.exports.world_new(numbers, name, given, words, module.scratch),
        `create a world of ${grid.width} x ${grid.height} cells, profile "${profile ?? "factor"}"`);
    });
    this.#self = module.word(module.scratch);
    this.neighbors = neighbors;
    this.wraps = wraps;
  }

  get width() {
    return this.#state()[3];
  }

  get height() {
    return this.#state()[4];
  }

  get resolution() {
    return this.#state()[5];
  }

  /** x, y, yaw of the corner of cell (0, 0), in metres. */
  get origin() {
    return this.#state().slice(6, 9);
  }

  /** Counts the changes, from 1. */
  get version() {
    return this.#state()[0];
  }

  /** The version up to which the newest answer of every agent is true. */
  get settled() {
    return this.#state()[1];
  }

  /** Number of the rectangle that the world covers; resize() makes another one. */
  get window() {
    return this.#state()[2];
  }

  /** The agents that are open. */
  get agents() {
    return [...this.#agents.values()];
  }

  /** True when the last step() left work behind. */
  get hasWork() {
    return this.#hasWork;
  }

  /** A copy of the bytes, shapes included, row by row. */
  snapshot() {
    const self = this.open();
    const [, , , width, height] = this.#state();
    const place = this.#module.exports.world_bytes(self) >>> 0;
    return this.#module.bytes.slice(place, place + width * height);
  }

  // ---- changes: each makes the next version

  /** One byte for a cell. */
  setCell(x, y, byte) {
    this.fillRect(x, y, 1, 1, byte);
  }

  /** One byte for single cells [x, y], or bytes of the same number. */
  setCells(cells, byte) {
    const self = this.open();
    const indices = check.cells("cells", cells, this.width, this.height);
    const values = typeof byte === "number" ? null : check.octetsOf("byte", byte, indices.length);
    const value = values === null ? check.whole("byte", byte, 0, 255) : 0;
    this.#module.lend((put) => this.#module.check(this.#module.exports.world_write_cells(self, put.words(indices),
      put.bytes(values), indices.length, value), "write cells"));
  }

  /** One byte for the cells from (x, y) to (x + width - 1, y + height - 1). */
  fillRect(x, y, width, height, byte) {
    const self = this.open();
    check.rectangle(x, y, width, height, this);
    check.whole("byte", byte, 0, 255);
    this.#module.check(this.#module.exports.world_write(self, x, y, width, height, 0, byte), "write cells");
  }

  /** The bytes of these cells, row by row. */
  writeRect(x, y, width, height, data) {
    const self = this.open();
    check.rectangle(x, y, width, height, this);
    const bytes = check.octetsOf("data", data, width * height);
    this.#module.lend((put) => this.#module.check(
      this.#module.exports.world_write(self, x, y, width, height, put.bytes(bytes), 0), "write cells"));
  }

  /**
   * Prepare fillRect() or writeRect() in slices; nothing changes before apply(). Another change makes it void: then it takes its time.
   * @param change { x, y, width, height, byte | data }
   */
  stage(change) {
    const self = this.open();
    check.options("change", change, ["x", "y", "width", "height", "byte", "data"]);
    const { x, y, width, height } = change;
    check.rectangle(x, y, width, height, this, "change.");
    const data = change.data === undefined ? null : check.octetsOf("change.data", change.data, width * height);
    const byte = data === null ? check.whole("change.byte", change.byte, 0, 255) : 0;
    const given = data === null ? 0 : this.#module.allocate(data.length);
    this.#module.bytes.set(data ?? [], given);
    this.#module.check(this.#module.exports.world_stage(self, x, y, width, height, given, byte, this.#module.scratch),
      "prepare a change: there are shapes on the world");
    const staged = new StagedChange(this.#module, this.#module.word(this.#module.scratch), () => this.#staged.delete(staged));
    this.#staged.add(staged);
    return staged;
  }

  /** Put a disc over the cells whose inside it meets; metres. A number that is there already moves that shape. */
  putDisc(number, x, y, radius, byte, options = {}) {
    this.overlay({ put: [{ number, points: [[x, y]], radius, byte, ...options }] });
  }

  /** The same with a polygon of 3 to 64 corners. */
  putPolygon(number, points, byte, options = {}) {
    check.list("points", points, 3, CORNERS_MAX);
    this.overlay({ put: [{ number, points, byte, ...options }] });
  }

  /** Remove these shapes, or all; the bytes that they hid count again. */
  removeShapes(numbers = null) {
    this.overlay(numbers === null ? { clear: true } : { remove: numbers });
  }

  /** Remove shapes and put others, in one version. */
  overlay(shapes) {
    const self = this.open();
    check.options("shapes", shapes, ["put", "remove", "clear"]);
    const put = check.list("shapes.put", shapes.put ?? [], 0, 4096);
    const words = put.flatMap((shape, i) => this.#shape(`shapes.put[${i}]`, shape));
    const removed = check.list("shapes.remove", shapes.remove ?? [], 0, 4096)
      .map((number, i) => check.whole(`shapes.remove[${i}]`, number, 0, ID_MAX));
    const clears = check.truth("shapes.clear", shapes.clear ?? false);
    this.#module.lend((loan) => this.#module.check(this.#module.exports.world_overlay(self, loan.doubles(words), put.length,
      loan.words(removed), removed.length, clears), "put shapes: at most 4096, over 16777216 cells in all"));
  }

  /**
   * Become another rectangle of the plane: its corner named as a cell of the world as it is (x, y), or in metres (origin).
   * rects: { x, y, width, height, data } of the new rectangle, written in the same version; each new cell lies in one, or `fill` is given.
   */
  resize(options) {
    const self = this.open();
    check.options("options", options, ["x", "y", "width", "height", "origin", "fill", "rects"]);
    const side = (name, old) => check.whole(`options.${name}`, options[name] ?? old, 1, check.SIDE_MAX);
    const corner = (name) => check.whole(`options.${name}`, options[name] ?? 0, -(2 ** 31), 2 ** 31 - 1);
    const origin = options.origin == null ? null : check.point("options.origin", options.origin);
    const fill = options.fill == null ? -1 : check.whole("options.fill", options.fill, 0, 255);
    if (origin !== null && (options.x !== undefined || options.y !== undefined)) {
      throw check.invalid("options.origin", "is given beside x or y, give one of them");
    }
    const numbers = [corner("x"), corner("y"), side("width", this.width), side("height", this.height), origin !== null,
      ...(origin ?? [0, 0]), fill];
    const sides = { width: numbers[2], height: numbers[3] };
    const rects = check.list("options.rects", options.rects ?? [], 0, RECTS_MAX).map((rect, i) => {
      check.options(`options.rects[${i}]`, rect, ["x", "y", "width", "height", "data"]);
      check.rectangle(rect.x, rect.y, rect.width, rect.height, sides, `options.rects[${i}].`);
      return { ...rect, data: check.octetsOf(`options.rects[${i}].data`, rect.data, rect.width * rect.height) };
    });
    const bytes = new Uint8Array(rects.reduce((sum, { data }) => sum + data.length, 0));
    rects.reduce((place, { data }) => {
      bytes.set(data, place);
      return place + data.length;
    }, 0);
    this.#module.lend((put) => this.#module.check(this.#module.exports.world_resize(self, put.doubles(numbers),
      put.words(rects.flatMap(({ x, y, width, height }) => [x, y, width, height])), rects.length, put.bytes(bytes)),
    rects.length > 0 && options.fill == null ? "resize the world: with rects each new cell needs one of them, or fill" : "resize the world"));
  }

  // ---- agents

  /** Open an agent that goes from start to goal, in metres of the frame. */
  openAgent(options) {
    const self = this.open();
    check.options("options", options, AGENT_OPTIONS);
    const numbers = agentNumbers(options, this.resolution);
    const [profile, planner] = ["profile", "planner"].map((name) =>
      options[name] == null ? null : check.text(`options.${name}`, options[name]));
    const start = options.start == null ? null : startOf(options);
    const goal = options.goal == null ? null : goalOf("options.goal", options.goal);
    const settings = goalOptions("options", options);
    try {
      this.#module.lend((put) => this.#module.check(this.#module.exports.agent_open(self, put.doubles(numbers), put.string(profile),
        put.string(planner), this.#module.scratch), `open an agent with planner "${planner ?? "auto"}"`));
    } catch (error) {
      throw motionRefusal(this.#module, self, numbers) ?? error;
    }
    const agent = new Agent(this.#module, this, this.#module.doubles(this.#module.scratch, 1)[0]);
    this.#agents.set(agent.id, agent);
    try {
      if (start !== null) {
        const [x, y, yaw] = start;
        agent.pose(x, y, 0, yaw);
      }
      if (goal !== null) {
        agent.goto(goal, settings);
      }
    } catch (error) {
      agent.close();
      throw error;
    }
    return agent;
  }

  /**
   * Send many agents: to one point, or each to a point of its own near the others, by one search.
   * @param {Agent[]} agents @param {number[] | number[][]} place
   */
  order(agents, place, options = {}) {
    const self = this.open();
    check.options("options", options, GOAL_OPTIONS);
    check.list("agents", agents, 1, 4096).forEach((agent, i) => {
      if (!(agent instanceof Agent) || agent.world !== this || agent.id === 0) {
        throw check.wrong(`agents[${i}]`, agent, "an agent of this world that is open");
      }
    });
    const isOne = typeof check.list("place", place, 1)[0] === "number";
    const all = isOne ? agents.map(() => check.point("place", place)) : check.points("place", place, agents.length, agents.length);
    const settings = goalOptions("options", options);
    const middle = isOne ? -1 : this.#module.lend((put) => this.#module.exports.middle(put.doubles(places(all)), all.length));
    agents.forEach((agent, i) => {
      const goal = goalOf("place", all[i]);
      agent.aim(self, goal, aimNumbers(goal, 0, settings, middle < 0 ? null : all[middle]));
    });
  }

  // ---- work

  /**
   * Plan for the agents whose answer may not be true any more.
   * @param {number} [budget] expansions, a million of them take 50 to 200 ms; what is left is done in the next steps
   * @param {number} [nowMs] your clock, which never goes back: for policies and for shapes that expire
   * @returns {Answer[]} what is new, of each agent the newest
   */
  step(budget = Infinity, nowMs = performance.now()) {
    const self = this.open();
    check.budget("budget", budget);
    this.#nowUs = Math.max(this.#nowUs, Math.floor(check.real("nowMs", nowMs, 0, 2 ** 43) * 1000));
    do {
      this.#hasWork = this.#module.exports.world_step(self, this.#nowUs, budget) !== 0;
      if (this.#module.exports.world_is_short(self) !== 0) {
        throw this.#module.shortage("to plan for an agent");
      }
    } while (this.#hasWork && budget === Infinity);
    return this.#news(self);
  }

  /** Use time that is left to make later plans cheaper. @returns true when there is more to do */
  idle(budget) {
    return this.#module.exports.world_idle(this.open(), check.budget("budget", budget)) !== 0;
  }

  /** Bytes of this world; of arrays that grow as a search needs them what was used. Replan.heapBytes counts them whole. */
  memory() {
    const { exports, scratch } = this.#module;
    exports.world_memory(this.open(), scratch);
    const [ground, sessions, search] = this.#module.doubles(scratch, 3);
    return { ground, sessions, search };
  }

  // ---- questions

  /** Costs from each source to each target, by rows; null where there is no path. */
  costs(sources, targets) {
    const from = check.points("sources", sources, 1, 4096);
    const to = check.points("targets", targets, 1, 4096);
    const { costs } = this.#ask({ kind: QUERY.costs, from, to });
    return from.map((_, i) => to.map((__, j) => costs[j * from.length + i])); // they come by target
  }

  /**
   * What if? Costs before and after a change that is not made, [before, after] of each agent, then of each pair of points.
   * @param change { x, y, width, height, byte | data }, or { cells, byte }
   */
  probe(change, agents = [], trips = []) {
    const edit = this.#edit(change);
    check.list("agents", agents).forEach((agent, i) => {
      if (!(agent instanceof Agent) || agent.world !== this || agent.id === 0) {
        throw check.wrong(`agents[${i}]`, agent, "an agent of this world that is open");
      }
    });
    const ends = check.list("pairs", trips).map((pair, i) => check.points(`pairs[${i}]`, pair, 2, 2));
    const { costs, after } = this.#ask({
      kind: QUERY.probe, edit, agents: agents.map((agent) => agent.id), from: ends.map(([from]) => from),
      to: ends.map(([, to]) => to),
    });
    return costs.map((before, i) => [before, after[i]]);
  }

  /** What it costs an agent to reach its goals from the cells around it, and which step leads there. */
  field(agent, reach) {
    if (!(agent instanceof Agent) || agent.world !== this || agent.id === 0) {
      throw check.wrong("agent", agent, "an agent of this world that is open");
    }
    const { costs, steps, version, x, y, width, height } = this.#ask({
      kind: QUERY.field, agents: [agent.id], reach: check.whole("reach", reach, 0, 64),
    });
    return { version, x, y, width, height, costs, steps };
  }

  // ---- birth and end

  /** Close the world and its agents, and free their memory. Closing twice is fine. */
  close() {
    if (this.#self !== 0) {
      this.#agents.forEach((agent) => agent.close());
      this.#staged.forEach((staged) => staged.close());
      this.#module.exports.world_close(this.#self);
      this.#self = 0;
    }
  }

  /** For Agent. */
  forget(agent) {
    this.#agents.delete(agent.id);
    this.#module.exports.agent_close(this.#self, agent.id);
  }

  /** For Agent. */
  answerOf(agent, self) {
    const status = this.#module.check(this.#module.exports.world_answer(self, agent.id), "tell an answer");
    return status === 0 ? this.#answer(self) : null;
  }

  /** For Agent: the world in the module, if it is open. */
  open() {
    if (this.#self === 0) {
      throw new ReplanError("CLOSED", "the world is closed");
    }
    return this.#self;
  }

  #state() {
    const { exports, scratch } = this.#module;
    exports.world_state(this.open(), scratch);
    return [...this.#module.doubles(scratch, 9)];
  }

  #answer(self) {
    const told = this.#module.doubles(this.#module.exports.world_told(self) >>> 0, ANSWER_TOLD);
    return new Answer(this.#module, this.#agents.get(told[0]), told);
  }

  #news(self) {
    const answers = [];
    while (this.#module.check(this.#module.exports.world_next(self), "tell an answer") === 0) {
      answers.push(this.#answer(self));
    }
    return answers;
  }

  /** The doubles of a shape for world_overlay(). */
  #shape(name, shape) {
    check.options(name, shape, ["number", "points", "radius", "byte", "ttlMs"]);
    const points = check.points(`${name}.points`, shape.points, 1, CORNERS_MAX);
    const ttlMs = check.real(`${name}.ttlMs`, shape.ttlMs ?? 0, 0, 2 ** 43);
    if (points.length === 2) {
      throw check.invalid(`${name}.points`, "has 2 entries, it must be 1 for a disc, or 3 to 64 corners");
    }
    return [check.whole(`${name}.number`, shape.number, 0, ID_MAX), check.whole(`${name}.byte`, shape.byte, 0, 255), points.length,
      check.real(`${name}.radius`, shape.radius ?? 0, 0), ttlMs === 0 ? 0 : this.#nowUs + Math.ceil(ttlMs * 1000),
      ...points.map(([x]) => x), ...points.map(([, y]) => y)];
  }

  /** A change of probe(). */
  #edit(change) {
    check.options("change", change, ["x", "y", "width", "height", "byte", "data", "cells"]);
    const none = { x: 0, y: 0, width: 0, height: 0, data: null, fill: 0, cells: null, values: null, count: 0, value: 0 };
    if (change.cells !== undefined) {
      const cells = check.cells("change.cells", change.cells, this.width, this.height);
      const isOne = typeof change.byte === "number";
      return {
        ...none, cells, count: cells.length, value: isOne ? check.whole("change.byte", change.byte, 0, 255) : 0,
        values: isOne ? null : check.octetsOf("change.byte", change.byte, cells.length),
      };
    }
    const { x, y, width, height } = change;
    check.rectangle(x, y, width, height, this);
    const data = change.data === undefined ? null : check.octetsOf("change.data", change.data, width * height);
    return { ...none, x, y, width, height, data, fill: data === null ? check.whole("change.byte", change.byte, 0, 255) : 0 };
  }

  /** Ask, and step until the answer is there: the steps plan for agents, too, whose news wait for step(). */
  #ask({ kind, from = [], to = [], agents = [], reach = 0, edit = { x: 0, y: 0, width: 0, height: 0, fill: 0, count: 0, value: 0 } }) {
    const self = this.open();
    const module = this.#module;
    const numbers = [kind, reach, from.length, to.length, agents.length, edit.x, edit.y, edit.width, edit.height, edit.fill,
      edit.count, edit.value];
    module.lend((put) => module.check(module.exports.query_start(self, put.doubles(numbers), put.doubles(places([...from, ...to])),
      put.doubles(agents), put.bytes(edit.data), put.bytes(edit.cells), put.bytes(edit.values), module.scratch),
    "ask: an agent needs a pose inside, a question has 64 others beside it at most, and 16641 searches"));
    const [query] = module.doubles(module.scratch, 1);
    try {
      while (module.exports.query_result(self, query, module.scratch) === 0) {
        module.exports.world_step(self, this.#nowUs, Infinity);
        if (module.exports.world_is_short(self) !== 0) {
          throw module.shortage("for a question");
        }
      }
      const [version, count, costs, after, steps, x, y, width, height] = module.doubles(module.scratch, QUERY_TOLD);
      const list = (place) => (place === 0 ? [] : Array.from(module.doubles(place, count), costOf));
      return {
        version, x, y, width, height, costs: list(costs), after: list(after),
        steps: steps === 0 ? [] : Array.from(module.bytes.subarray(steps, steps + count), (step) => (step === NO_STEP ? null : step)),
      };
    } finally {
      module.exports.query_end(self, query);
    }
  }
}

/** The words of a profile for world_new(). */
function profileWords(put, name, profile) {
  check.options(name, profile, ["name", "factors", "unit", "like", "unknown", "inscribed"]);
  const { unknown = "free" } = profile;
  const word = typeof unknown === "number" ? 2 : UNKNOWN.indexOf(check.choice(`${name}.unknown`, unknown, UNKNOWN));
  const inscribed = check.octets(`${name}.inscribed`, profile.inscribed ?? []);
  const factors = profile.factors == null ? null : check.octetsOf(`${name}.factors`, profile.factors, 256);
  return [
    put.string(check.text(`${name}.name`, profile.name)), put.bytes(factors),
    put.string(profile.like == null ? null : check.choice(`${name}.like`, profile.like, ["factor", "costmap"])),
    check.whole(`${name}.unit`, profile.unit ?? 1, 1, 255), word,
    word === 2 ? check.whole(`${name}.unknown`, unknown, 1, 255) : 0, put.bytes(inscribed), inscribed.length,
  ];
}
