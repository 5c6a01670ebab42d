import * as check from "./arguments";
import type { Bytes, Point } from "./arguments";
import { Agent, type Field, WATCH_OPTIONS, watchOf, type WatchOptions } from "./agent";
import { type Connection, DATA_MAX } from "./connection";
import { GOAL_OPTIONS, type GoalLike, goalOf, type GoalOptions } from "./goals";
import { Motion } from "./motion";
import { type Piece, type Progress, sizeOf, writePieces } from "./portions";
import { blockerOf } from "./profiles";
import { type Watch, WorldMirror } from "./watch";
import { Watching } from "./watching";
import { costOf, number, v1 } from "./wire";

export interface Applied {
  epoch: number;
  /** Of the world, with this change in it. */
  version: number;
  /** With wait "settled": those whose answer changed. */
  changedAgents: string[];
  /** With wait "settled": those whose answer took too long. */
  overdueAgents: string[];
  window: number;
  /** Cells that lie outside of some window since the one that the change was made for. */
  dropped: number;
}

export interface ChangeOptions {
  /** "applied" (the default), "durable" (it survives a crash), "settled" (every agent's newest answer is true for it). */
  wait?: "applied" | "durable" | "settled";
}

export type Change =
  | { x: number; y: number; width: number; height: number; byte: number }
  | { x: number; y: number; width: number; height: number; data: Bytes }
  | { cells: Point[]; byte: number | Bytes };

export interface Shape {
  number: number;
  /** One point for a disc, 3 to 64 corners of a polygon; metres. */
  points: Point[];
  radius?: number;
  byte: number;
  /** Remove it after so long; 0: never. */
  ttlMs?: number;
}

export interface Rect {
  x: number;
  y: number;
  width: number;
  height: number;
  data: Bytes;
}

export interface ResizeOptions extends ChangeOptions {
  x?: number;
  y?: number;
  width?: number;
  height?: number;
  origin?: Point;
  fill?: number;
  rects?: Rect[];
  progress?: Progress;
}

export interface AgentOptions extends GoalOptions {
  /** Metres of the world's frame. */
  start: Point | [number, number, number];
  goal: GoalLike;
  planner?: string;
  profile?: string;
  /** Metres: cells whose middle is this near to that of a blocked cell block. */
  radius?: number;
  /** Inflation as in ROS costmap_2d. */
  inscribedRadius?: number;
  inflationRadius?: number;
  costScalingFactor?: number;
  /** Instead of radii, a square body of so many cells each way; the agent's cell is its lowest x and y. */
  cells?: number;
  /** Its path is to be a curve that it can drive, with a disc of this radius as body: what car(), spot() or omni() makes; start has a yaw. */
  motion?: Motion;
  /** Percent that another path must save to replace a valid one; 5. */
  switchGainPercent?: number;
  /** And not sooner than this after the last answer; 200. */
  minIntervalMs?: number;
  maxAgeMs?: number;
  answerWithinMs?: number;
  mayWait?: boolean;
  immediateStart?: boolean;
  followRadius?: number;
  escape?: number;
  /** The agent is closed when nobody has watched or named it for so long; 60, 0: never. */
  leaseS?: number;
}

const WAITS = ["applied", "durable", "settled"] as const;
const RADIUS_MAX = 1e6; // RP_LIMIT_RADIUS_M
const DAY_MS = 86400000; // RP_LIMIT_POLICY_MS
const CORNERS_MAX = 64;
const REACH_MAX = 64;
const NUMBER_OPTIONS = ["radius", "inscribedRadius", "inflationRadius", "costScalingFactor", "cells", "switchGainPercent", "minIntervalMs",
  "maxAgeMs", "answerWithinMs", "followRadius", "escape", "leaseS"] as const;
const AGENT_OPTIONS = ["start", "goal", "planner", "profile", "motion", "mayWait", "immediateStart", ...NUMBER_OPTIONS, ...GOAL_OPTIONS];

const column = (points: Point[], i: 0 | 1): number[] => points.map((point) => point[i]);

/** A world, by its name: nothing of it is kept here. Each change makes its next version. */
export class World {
  readonly #connection: Connection;

  /** @internal */
  constructor(connection: Connection, readonly name: string) {
    this.#connection = connection;
  }

  // ---- cells

  async setCell(x: number, y: number, byte: number, options: ChangeOptions = {}): Promise<Applied> {
    return this.fillRect(x, y, 1, 1, byte, options);
  }

  /** `byte`: one for all cells, or one each. All of them in one version. */
  async setCells(cells: Point[], byte: number | Bytes, options: ChangeOptions = {}): Promise<Applied> {
    return this.#apply(await this.#changeOf("", { cells, byte }), options);
  }

  /** One byte for a rectangle: 0 blocks, 1 is normal ground, 2 to 254 are dearer. */
  async fillRect(x: number, y: number, width: number, height: number, byte: number, options: ChangeOptions = {}): Promise<Applied> {
    return this.#apply(await this.#changeOf("", { x, y, width, height, byte }), options);
  }

  /** Bytes row by row [width * height]. */
  async writeRect(x: number, y: number, width: number, height: number, data: Bytes, options: ChangeOptions = {}): Promise<Applied> {
    return this.#apply(await this.#changeOf("", { x, y, width, height, data }), options);
  }

  /** @param of stands before the names of its parts */
  async #changeOf(of: string, change: Change): Promise<v1.IChange> {
    if ("cells" in change) {
      const window = await this.#connection.window(this.name);
      const cells = check.cells(`${of}cells`, change.cells, window.frame?.width ?? 0, window.frame?.height ?? 0);
      const values = typeof change.byte === "number" ? Uint8Array.of(check.whole(`${of}byte`, change.byte, 0, 255))
        : check.octetsOf(`${of}byte`, change.byte, cells.length);
      return { world: this.name, cells, values, epoch: window.epoch, window: window.number };
    }
    const [x, y] = [check.whole(`${of}x`, change.x, 0, check.SIDE_MAX - 1), check.whole(`${of}y`, change.y, 0, check.SIDE_MAX - 1)];
    const width = check.whole(`${of}width`, change.width, 1, check.SIDE_MAX);
    const height = check.whole(`${of}height`, change.height, 1, check.SIDE_MAX);
    const rect = { world: this.name, x, y, width, height };
    return "data" in change ? { ...rect, data: check.octetsOf(`${of}data`, change.data, width * height) }
      : { ...rect, fill: check.whole(`${of}byte`, change.byte, 0, 255) };
  }

  async #apply(change: v1.IChange, options: ChangeOptions): Promise<Applied> {
    return appliedOf(await this.#connection.ask({ apply: { change, wait: waitOf(options) } }));
  }

  // ---- shapes

  /** Lay a disc over the cells, or move the one of this number. What it hides comes back when it moves or goes. */
  async putDisc(number: number, x: number, y: number, radius: number, byte: number, options: ChangeOptions & { ttlMs?: number } = {}): Promise<Applied> {
    const { ttlMs, ...rest } = check.options<typeof options>("options", options, ["ttlMs", "wait"]);
    const put = [{ number, points: [[check.coordinate("x", x), check.coordinate("y", y)]] as Point[], radius, byte, ttlMs: ttlMs ?? 0 }];
    return this.#overlay(put, [], false, rest, "");
  }

  async putPolygon(number: number, points: Point[], byte: number, options: ChangeOptions & { ttlMs?: number } = {}): Promise<Applied> {
    const { ttlMs, ...rest } = check.options<typeof options>("options", options, ["ttlMs", "wait"]);
    check.points("points", points, 3, CORNERS_MAX);
    return this.#overlay([{ number, points, byte, ttlMs: ttlMs ?? 0 }], [], false, rest, "");
  }

  /** These, or all. One that is not there is no error. */
  async removeShapes(numbers: number[] | null = null, options: ChangeOptions = {}): Promise<Applied> {
    return this.#overlay([], numbers ?? [], numbers === null, options, "");
  }

  /** Removals first, then new shapes: one version. */
  async overlay(shapes: { put?: Shape[]; remove?: number[]; clear?: boolean }, options: ChangeOptions = {}): Promise<Applied> {
    check.options("shapes", shapes, ["put", "remove", "clear"]);
    check.list("shapes.put", shapes.put ?? []);
    return this.#overlay(shapes.put ?? [], shapes.remove ?? [], check.truth("shapes.clear", shapes.clear ?? false), options, "shapes.");
  }

  async #overlay(put: Shape[], remove: number[], clear: boolean, options: ChangeOptions, of: string): Promise<Applied> {
    const wait = waitOf(options);
    const shapes = put.map((shape, i) => shapeOf(of === "" ? "" : `${of}put[${i}].`, shape));
    const corners = shapes.flatMap(({ points }) => points);
    const removed = Array.from(check.list(of === "" ? "numbers" : `${of}remove`, remove), (number, i) =>
      check.whole(of === "" ? `numbers[${i}]` : `${of}remove[${i}]`, number, 0, check.WORD_MAX));
    return appliedOf(await this.#connection.ask({
      overlay: {
        world: this.name, ids: shapes.map(({ number }) => number), corners: shapes.map(({ points }) => points.length),
        x: column(corners, 0), y: column(corners, 1), radiiM: shapes.map(({ radius }) => radius),
        values: Uint8Array.from(shapes, ({ byte }) => byte), ttlMs: shapes.map(({ ttlMs }) => ttlMs), removed, clear, wait,
      },
    }));
  }

  // ---- the window

  /**
   * Another rectangle of the plane, by cells of the present one or by the corner in metres. `rects`: bytes of it, in the same version.
   * A message holds 20 MiB: of more bytes what is new begins with a byte that blocks, and they follow in portions.
   */
  async resize(options: ResizeOptions): Promise<Applied> {
    check.options("options", options, ["x", "y", "width", "height", "origin", "fill", "rects", "wait", "progress"]);
    check.callback("options.progress", options.progress);
    const window = await this.#connection.window(this.name);
    const frame = window.frame!;
    const width = check.whole("options.width", options.width ?? frame.width, 1, check.SIDE_MAX);
    const height = check.whole("options.height", options.height ?? frame.height, 1, check.SIDE_MAX);
    const rects = Array.from(check.list("options.rects", options.rects ?? []) as ArrayLike<Rect>, (rect, i) => rectOf(`options.rects[${i}].`, rect, width, height));
    const wait = waitOf(options.wait === undefined ? {} : { wait: options.wait });
    const isLarge = sizeOf(rects) > DATA_MAX;
    const told = options.fill === undefined ? null : check.whole("options.fill", options.fill, 0, 255);
    const isStated = rects.some((rect) => rect.width === width && rect.height === height);
    const fill = isLarge && (told === null || isStated) ? await this.#blocker() ?? told : told;
    const resize: v1.IResize = { world: this.name, wait, ...(fill === null ? {} : { fill }), ...this.#placeOf(options, width, height, frame.origin[2]) };
    if (!isLarge) {
      resize.rects = rects.flatMap((rect) => [rect.x, rect.y, rect.width, rect.height]);
      resize.rectData = joined(rects.map(({ data }) => data));
    }
    const reply = await this.#connection.ask({ resize });
    this.#connection.windows.forget(this.name); // the next cells are of the window that the next message tells
    if (isLarge) {
      return appliedOf(await writePieces(this.#connection, this.name, rects, reply, wait, options.progress));
    }
    options.progress?.(sizeOf(rects), sizeOf(rects));
    return appliedOf(reply);
  }

  /** A byte that is an obstacle here; null where none is. */
  async #blocker(): Promise<number | null> {
    const info = await this.#connection.info(this.name);
    return blockerOf(info.profile ?? "", info.profiles ?? []);
  }

  #placeOf(options: ResizeOptions, width: number, height: number, yaw: number): v1.IResize {
    if (options.origin === undefined) {
      const least = -(2 ** 31);
      return { x: check.whole("options.x", options.x ?? 0, least, 2 ** 31 - 1), y: check.whole("options.y", options.y ?? 0, least, 2 ** 31 - 1), width, height };
    }
    if (options.x !== undefined || options.y !== undefined) {
      throw check.invalid("options.origin", "is in metres, it excludes x and y");
    }
    const [originX, originY] = check.point("options.origin", options.origin);
    return { geometry: { width, height, originX, originY, originYaw: yaw } };
  }

  // ---- agents

  /** Open an agent that goes from `start` to `goal`. */
  async openAgent(name: string, options: AgentOptions): Promise<Agent> {
    const agent = check.called("name", name);
    const reply = await this.#connection.ask({ openAgent: openOf(this.name, agent, options) });
    return new Agent(this.#connection, this.name, agent, reply.opened?.handle ?? null);
  }

  /** One that somebody else opened, or that opens with its first pose or goal here. */
  agent(name: string): Agent {
    return new Agent(this.#connection, this.name, check.called("name", name));
  }

  /** One point for all, or one each, near the others: they share one search. */
  async order(agents: Agent[], place: Point | Point[], options: GoalOptions = {}): Promise<void> {
    check.options("options", options, GOAL_OPTIONS);
    const named = this.#agentsOf(agents);
    const isOne = Array.isArray(place) && typeof place[0] === "number";
    const places = isOne ? [check.point("place", place)] : check.points("place", place, 1);
    if (places.length !== 1 && places.length !== named.length) {
      throw check.invalid("place", `has ${places.length} entries, it must have 1, or one for each of the ${named.length} agents`);
    }
    const { toleranceM, nearest, goalId } = goalOf("place", places[0]!, "options", options);
    const inOrder = named.map((agent, i) => ({ agent, place: places[i]! })).sort((one, other) => Number(one.agent.handle === null) - Number(other.agent.handle === null));
    const sent = places.length === 1 ? places : inOrder.map((entry) => entry.place);
    await this.#connection.ask({
      order: {
        world: this.name, handles: inOrder.flatMap(({ agent }) => (agent.handle === null ? [] : [agent.handle])),
        agents: inOrder.flatMap(({ agent }) => (agent.handle === null ? [agent.name] : [])), x: column(sent, 0), y: column(sent, 1),
        toleranceM: toleranceM ?? 0, nearest: nearest ?? false, goalIds: number(goalId as number) === 0 ? [] : [goalId as number],
      },
    });
  }

  /** Where many agents of openAgent() are, in one request. */
  async poses(agents: Agent[], places: Point[], poseSeq = 0): Promise<void> {
    const named = this.#agentsOf(agents);
    const points = check.points("places", places);
    if (points.length !== named.length) {
      throw check.invalid("places", `has ${points.length} entries, it must have one for each of the ${named.length} agents`);
    }
    const handles = named.map((agent, i) => {
      if (agent.handle === null) {
        throw check.wrong(`agents[${i}]`, agent, "an Agent of openAgent(), whose handle is known");
      }
      return agent.handle;
    });
    const seq = check.whole("poseSeq", poseSeq, 0, Number.MAX_SAFE_INTEGER);
    await this.#connection.ask({ setPoses: { world: this.name, handles, x: column(points, 0), y: column(points, 1), poseSeq: seq } });
  }

  #agentsOf(agents: unknown): Agent[] {
    return Array.from(check.list("agents", agents, 1), (agent, i) => {
      if (!(agent instanceof Agent) || agent.world !== this.name) {
        throw check.wrong(`agents[${i}]`, agent, `an Agent of the world "${this.name}"`);
      }
      return agent;
    });
  }

  // ---- what is told of it

  /** Its newest cells, row by row. */
  async snapshot(): Promise<Uint8Array> {
    const copy = await this.mirror({ resume: false });
    try {
      await copy.follow();
      return copy.data;
    } finally {
      await copy.close();
    }
  }

  /** A copy of its cells that follows its changes, and goes on when the daemon went away and came back. */
  async mirror(options: { resume?: boolean } = {}): Promise<WorldMirror> {
    check.options("options", options, ["resume"]);
    const body = { world: this.name, map: true, follows: true };
    const watching = new Watching(this.#connection, body, check.truth("options.resume", options.resume ?? true));
    await watching.open(true);
    return new WorldMirror(watching);
  }

  /** New answers of these agents, which must be open, or of all, also of those that are opened later. */
  async watch(agents: string | string[] | null = null, options: WatchOptions = {}): Promise<Watch> {
    check.options("options", options, WATCH_OPTIONS);
    return watchOf(this.#connection, this.name, agents === null ? null : check.names("agents", agents), options);
  }

  // ---- questions

  /** Costs from each source to each target, by rows; null: no path. */
  async costs(sources: Point[], targets: Point[]): Promise<(number | null)[][]> {
    const [from, to] = [check.points("sources", sources, 1), check.points("targets", targets, 1)];
    const askCosts = { world: this.name, fromX: column(from, 0), fromY: column(from, 1), toX: column(to, 0), toY: column(to, 1) };
    const told = (await this.#connection.ask({ askCosts })).costs?.costs ?? [];
    return from.map((_, i) => told.slice(i * to.length, (i + 1) * to.length).map(costOf));
  }

  /** [before, after] a change that is not made: of each agent, then of each pair [from, to]. */
  async probe(change: Change, agents: (string | Agent)[] = [], pairs: [Point, Point][] = []): Promise<[number | null, number | null][]> {
    check.options("change", change, ["x", "y", "width", "height", "byte", "data", "cells"]);
    const named = Array.from(check.list("agents", agents), (agent, i) => check.called(`agents[${i}]`, agent instanceof Agent ? agent.name : agent));
    const ends = Array.from(check.list("pairs", pairs), (pair, i) => check.points(`pairs[${i}]`, pair, 2, 2));
    const [from, to] = [ends.map((pair) => pair[0]!), ends.map((pair) => pair[1]!)];
    const askProbe = {
      change: await this.#changeOf("change.", change), agents: named, fromX: column(from, 0), fromY: column(from, 1), toX: column(to, 0),
      toY: column(to, 1),
    };
    const found = (await this.#connection.ask({ askProbe })).probe ?? {};
    return (found.before ?? []).map((before, i) => [costOf(before), costOf(found.after?.[i])]);
  }

  /** The costs to an agent's goals from the cells around it. */
  async field(agent: Agent, reach: number): Promise<Field> {
    return this.#agentsOf([agent])[0]!.field(reach);
  }

  /** End it, with its agents and watches. */
  async remove(): Promise<void> {
    await this.#connection.ask({ removeWorld: { world: this.name } });
    this.#connection.windows.forget(this.name);
    this.#connection.versions.delete(this.name);
  }
}

export function waitOf(options: ChangeOptions): v1.Wait {
  const { wait } = check.options<ChangeOptions>("options", options, ["wait"]);
  return WAITS.indexOf(check.choice("options.wait", wait ?? "applied", WAITS));
}

export function appliedOf(reply: v1.IReply): Applied {
  const applied = reply.applied ?? {};
  return {
    epoch: number(applied.epoch), version: number(applied.version), changedAgents: [...(applied.changedAgents ?? [])],
    overdueAgents: [...(applied.overdueAgents ?? [])], window: number(applied.window), dropped: number(applied.dropped),
  };
}

function shapeOf(of: string, shape: Shape): { number: number; points: Point[]; radius: number; byte: number; ttlMs: number } {
  check.options(of === "" ? "shape" : of.slice(0, -1), shape, ["number", "points", "radius", "byte", "ttlMs"]);
  const points = check.points(`${of}points`, shape.points, 1, CORNERS_MAX);
  if (points.length === 2) {
    throw check.invalid(`${of}points`, `has 2 entries, it must have 1 for a disc, or 3 to ${CORNERS_MAX}`);
  }
  return {
    number: check.whole(`${of}number`, shape.number, 0, check.WORD_MAX), points,
    radius: check.real(`${of}radius`, shape.radius ?? 0, 0, check.COORDINATE_MAX),
    byte: check.whole(`${of}byte`, shape.byte, 0, 255), ttlMs: check.whole(`${of}ttlMs`, shape.ttlMs ?? 0, 0, check.WORD_MAX),
  };
}

function rectOf(of: string, rect: Rect, width: number, height: number): Piece {
  check.options(of.slice(0, -1), rect, ["x", "y", "width", "height", "data"]);
  const x = check.whole(`${of}x`, rect.x, 0, width - 1);
  const y = check.whole(`${of}y`, rect.y, 0, height - 1);
  const side = check.whole(`${of}width`, rect.width, 1, width - x);
  const rows = check.whole(`${of}height`, rect.height, 1, height - y);
  return { x, y, width: side, height: rows, data: check.octetsOf(`${of}data`, rect.data, side * rows) };
}

function joined(parts: Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

function openOf(world: string, agent: string, given: AgentOptions): v1.IOpenAgent {
  const options = check.options<AgentOptions>("options", given, AGENT_OPTIONS);
  const start = check.list("options.start", options.start, 2, 3);
  const [x, y] = check.point("options.start", [start[0], start[1]]);
  const most = { cells: REACH_MAX, switchGainPercent: 100, minIntervalMs: DAY_MS, maxAgeMs: DAY_MS, answerWithinMs: DAY_MS, leaseS: DAY_MS / 1000 } as const;
  const told: Partial<Record<(typeof NUMBER_OPTIONS)[number], number>> = {};
  for (const key of NUMBER_OPTIONS) {
    const value = options[key];
    if (value !== undefined) {
      told[key] = key in most ? check.whole(`options.${key}`, value, 0, most[key as keyof typeof most]) : check.real(`options.${key}`, value, 0, RADIUS_MAX);
    }
  }
  if (options.motion !== undefined && !(options.motion instanceof Motion)) {
    throw check.wrong("options.motion", options.motion, "what car(), spot() or omni() makes");
  }
  return {
    world, agent, ...(options.motion === undefined ? {} : { motion: options.motion.message }), planner: check.text("options.planner", options.planner ?? ""),
    pose: { x, y, yaw: start.length === 3 ? check.coordinate("options.start[2]", start[2]) : 0 },
    goal: goalOf("options.goal", options.goal, "options", options as GoalOptions),
    body: {
      profile: check.text("options.profile", options.profile ?? ""), radiusM: told.radius ?? 0, inscribedRadiusM: told.inscribedRadius ?? 0,
      inflationRadiusM: told.inflationRadius ?? 0, costScalingFactor: told.costScalingFactor ?? 0, cells: told.cells ?? 0,
    },
    policy: {
      ...(told.switchGainPercent === undefined ? {} : { switchGainPercent: told.switchGainPercent }),
      ...(told.minIntervalMs === undefined ? {} : { minIntervalMs: told.minIntervalMs }),
      ...(told.maxAgeMs === undefined ? {} : { maxAgeMs: told.maxAgeMs }),
      ...(told.followRadius === undefined ? {} : { followRadiusM: told.followRadius }),
      ...(told.escape === undefined ? {} : { escapeM: told.escape }),
      ...(told.leaseS === undefined ? {} : { leaseS: told.leaseS }),
      answerWithinMs: told.answerWithinMs ?? 0, mayWait: check.truth("options.mayWait", options.mayWait ?? false),
      immediateStart: check.truth("options.immediateStart", options.immediateStart ?? false),
    },
  };
}
