import * as check from "./arguments";
import type { Bytes, Matrix } from "./arguments";
import { Connection, DATA_MAX } from "./connection";
import { NoDaemon } from "./errors";
import { type Frame, frameOf } from "./frame";
import { CONNECT_MS } from "./line";
import { type Progress, writePieces } from "./portions";
import { blockerOf, type Profile, profileOf } from "./profiles";
import { windowOf } from "./windows";
import { number, v1 } from "./wire";
import { World } from "./world";

/** Where repland listens unless it is told otherwise. */
export const CONTROL = "tcp://127.0.0.1:7403";

const TIMEOUT_MAX_MS = 3600000; // RP_LIMIT_DEADLINE_MS
const WORLD_OPTIONS = ["matrix", "width", "height", "data", "fill", "resolution", "origin", "neighbors", "wraps", "profile", "profiles",
  "expectEveryMs", "progress"];

export interface ClientOptions {
  /** How long a request may take; 5000. */
  timeoutMs?: number;
  /** A pose or a goal opens no agent: one that is not open is refused with "UNKNOWN". */
  strict?: boolean;
}

/** A matrix, or sides with the bytes row by row, or with one byte for all (normal ground). */
export interface WorldOptions {
  matrix?: Matrix;
  width?: number;
  height?: number;
  data?: Bytes;
  fill?: number;
  /** Metres a cell; 1. */
  resolution?: number;
  /** x, y, yaw of the corner of cell (0, 0); all 0. */
  origin?: [number, number, number?];
  neighbors?: 4 | 8;
  wraps?: boolean;
  /** "factor" (the default), "costmap", or one of `profiles`. */
  profile?: string;
  profiles?: Profile[];
  /** Without a change for longer answers say staleMap; 0: never. */
  expectEveryMs?: number;
  progress?: Progress;
}

/** What the daemon says of a world, without its cells. */
export interface WorldInfo {
  name: string;
  frame: Frame;
  width: number;
  height: number;
  neighbors: number;
  wraps: boolean;
  profile: string;
  epoch: number;
  version: number;
  /** The version up to which the newest answer of every agent is true. */
  settled: number;
  window: number;
  agents: number;
}

/** Worlds, changes and agents of one daemon. */
export class Client {
  readonly #connection: Connection;

  private constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** NoDaemon when nobody listens there. */
  static async connect(control: string = CONTROL, options: ClientOptions = {}): Promise<Client> {
    check.options("options", options, ["timeoutMs", "strict"]);
    const timeoutMs = check.whole("options.timeoutMs", options.timeoutMs ?? 5000, 0, TIMEOUT_MAX_MS);
    const strict = check.truth("options.strict", options.strict ?? false);
    const connection = new Connection(check.text("control", control), timeoutMs, strict);
    if (!(await connection.line.up(CONNECT_MS))) {
      connection.close();
      throw new NoDaemon(`no daemon answers at ${control}`);
    }
    return new Client(connection);
  }

  /** Ends the watches too. A second time does nothing. */
  close(): void {
    this.#connection.close();
  }

  /** A new world. A message holds 20 MiB: one of more cells begins with a byte that blocks, and its bytes follow in portions. */
  async createWorld(name: string, options: WorldOptions): Promise<World> {
    const { progress, ...rest } = check.options<WorldOptions>("options", options, WORLD_OPTIONS);
    check.callback("options.progress", progress);
    const world = check.called("name", name);
    const { create, data } = createOf(world, rest);
    const reply = await this.#connection.ask({ createWorld: create });
    this.#connection.windows.hear(world, windowOf(reply.applied?.epoch, reply.applied?.window, create.geometry));
    const [width, height] = [create.geometry!.width!, create.geometry!.height!];
    if (data === null) {
      progress?.(width * height, width * height);
    } else {
      await writePieces(this.#connection, world, [{ x: 0, y: 0, width, height, data }], reply, v1.Wait.APPLIED, progress);
    }
    return new World(this.#connection, world);
  }

  /** A world that is there; nothing is asked. */
  world(name: string): World {
    return new World(this.#connection, check.called("name", name));
  }

  /** End a world, with its agents and watches. */
  async removeWorld(name: string): Promise<void> {
    await this.world(name).remove();
  }

  async worlds(): Promise<WorldInfo[]> {
    const reply = await this.#connection.ask({ listWorlds: {} });
    return (reply.worlds?.worlds ?? []).map((info) => {
      const frame = frameOf(info.geometry);
      return {
        name: info.world ?? "", frame, width: frame.width, height: frame.height, neighbors: info.neighbors ?? 8, wraps: info.wraps ?? false,
        profile: info.profile ?? "", epoch: number(info.head?.epoch), version: number(info.head?.version),
        settled: number(info.head?.settled), window: number(info.window), agents: info.head?.agents ?? 0,
      };
    });
  }

  /** The daemon's counters: { "changes.applied": 12, .. }. */
  async stats(): Promise<Record<string, number>> {
    const { names, values } = (await this.#connection.ask({ getStats: {} })).stats ?? {};
    return Object.fromEntries((names ?? []).map((name, i) => [name, number(values?.[i])]));
  }

  /** Send one request of the wire, and get its reply: what the other calls leave out. */
  async request(body: v1.IRequest, timeoutMs?: number): Promise<v1.IReply> {
    if (body === null || typeof body !== "object") {
      throw check.wrong("body", body, "an object with one body of replan.v1.Request");
    }
    return this.#connection.ask(body, timeoutMs === undefined ? undefined : check.whole("timeoutMs", timeoutMs, 0, TIMEOUT_MAX_MS));
  }
}

/** The message, and the bytes that are too many for it. */
function createOf(world: string, options: WorldOptions): { create: v1.ICreateWorld; data: Uint8Array | null } {
  const { width, height, data, fill } = check.grid("options", options);
  const origin = check.list("options.origin", options.origin ?? [0, 0, 0], 2, 3);
  const [originX, originY] = check.point("options.origin", [origin[0], origin[1]]);
  const profiles = Array.from(check.list("options.profiles", options.profiles ?? [], 0, 16), (one, i) => profileOf(`options.profiles[${i}]`, one as Profile));
  const profile = check.text("options.profile", options.profile ?? "factor");
  const isLarge = data !== null && data.length > DATA_MAX;
  const blocker = isLarge ? blockerOf(profile, profiles) : null;
  const neighbors = options.neighbors ?? 8;
  if (neighbors !== 4 && neighbors !== 8) {
    throw check.wrong("options.neighbors", neighbors, "4 or 8");
  }
  const create: v1.ICreateWorld = {
    world, neighbors, wraps: check.truth("options.wraps", options.wraps ?? false), profile, profiles,
    geometry: {
      width, height, resolution: check.real("options.resolution", options.resolution ?? 1, 1e-4, 1e4), originX, originY,
      originYaw: origin.length === 3 ? check.coordinate("options.origin[2]", origin[2] ?? 0) : 0,
    },
    expectEveryMs: check.whole("options.expectEveryMs", options.expectEveryMs ?? 0, 0, check.WORD_MAX),
    ...(data !== null && !isLarge ? { data } : blocker !== null ? { fill: blocker } : fill !== null ? { fill } : {}),
  };
  return { create, data: isLarge ? data : null };
}
