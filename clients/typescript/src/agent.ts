import * as check from "./arguments";
import type { Point } from "./arguments";
import { Answer, outcomeOf, type Outcome, reasonOf, type Reason } from "./answer";
import type { Connection } from "./connection";
import { STEPS } from "./frame";
import { GOAL_OPTIONS, type GoalLike, goalOf, type GoalOptions } from "./goals";
import { answersOfAgent } from "./shared_watch";
import { answersOf, Watch } from "./watch";
import { Watching } from "./watching";
import type { Window } from "./windows";
import { costOf, number, v1 } from "./wire";
import type Long from "long";

const BATCH = 16; // answers in one message

/** Whether a path may be walked now. */
export interface Valid {
  version: number;
  legal: boolean;
  /** In cell lengths on normal ground; null when it is not legal. */
  cost: number | null;
  /** Numbers of the steps that are not legal; step i leads to cell i + 1. None, and not legal: the path's start is blocked. */
  offending: number[];
  /** The same of the way; as many as it has steps: it leads elsewhere. */
  offendingWay: number[];
}

export interface Field {
  version: number;
  x: number;
  y: number;
  width: number;
  height: number;
  /** Row by row; null: no path. */
  costs: (number | null)[];
  /** Directions: 0 = +x, 1 = +x+y, 2 = +y, ..; null at a goal and without a path. */
  steps: (number | null)[];
}

/** An answer of the past, and what made the one after it new. */
export interface Said {
  pathSeq: number;
  sureUntil: number;
  version: number;
  outcome: Outcome;
  reason: Reason;
  cost: number | null;
  expansions: number;
  ageMs: number;
}

/** An agent, by its world and name. Iterating over it is a watch of it; from the 129th on the loops share one. */
export class Agent implements AsyncIterable<Answer> {
  readonly #connection: Connection;

  /** @internal */
  constructor(connection: Connection, readonly world: string, readonly name: string, /** @internal */ readonly handle: Long | number | null = null) {
    this.#connection = connection;
  }

  /** Another goal, as of openAgent(). */
  async goto(goal: GoalLike, options: GoalOptions = {}): Promise<void> {
    check.options("options", options, GOAL_OPTIONS);
    const setGoal = { ...goalOf("goal", goal, "options", options), world: this.world, agent: this.name, mustBeOpen: this.#connection.strict };
    await this.#connection.ask({ setGoal });
  }

  /** Where it is: metres, radians. poseSeq: greater is newer; 0: unnumbered. */
  async pose(x: number, y: number, options: { yaw?: number; poseSeq?: number } = {}): Promise<void> {
    check.options("options", options, ["yaw", "poseSeq"]);
    const setPose: v1.IPose = {
      world: this.world, agent: this.name, x: check.coordinate("x", x), y: check.coordinate("y", y),
      yaw: check.real("options.yaw", options.yaw ?? 0, -check.COORDINATE_MAX, check.COORDINATE_MAX),
      poseSeq: check.whole("options.poseSeq", options.poseSeq ?? 0, 0, Number.MAX_SAFE_INTEGER), mustBeOpen: this.#connection.strict,
    };
    await this.#connection.ask({ setPose });
  }

  /** The newest answer, true for the newest version of the world. */
  async answer(): Promise<Answer> {
    const reply = await this.#connection.ask({ getAnswer: { world: this.world, agent: this.name, segments: true } });
    return new Answer(reply.answer ?? {});
  }

  /** The newest answers and what made each new, newest first. */
  async why(): Promise<Said[]> {
    const reply = await this.#connection.ask({ askWhy: { world: this.world, agent: this.name } });
    return (reply.why?.said ?? []).map((said) => ({
      pathSeq: number(said.pathSeq), sureUntil: number(said.sureUntil), version: number(said.version), outcome: outcomeOf(said.outcome),
      reason: reasonOf(said.reason), cost: costOf(said.cost), expansions: number(said.expansions), ageMs: number(said.ageMs),
    }));
  }

  /** May it walk this path now? Cells as in Answer.path; `way`: cells out of a blocked one to path[0], as in Answer.way. */
  async valid(path: Point[], way: Point[] = []): Promise<Valid> {
    const window = await this.#connection.window(this.world);
    const told = wayOf("path", path, window);
    const out = check.list("way", way).length === 0 ? null : wayOf("way", way, window);
    const reply = await this.#connection.ask({
      askValid: {
        world: this.world, agent: this.name, start: told.start, steps: told.steps, epoch: window.epoch, window: window.number,
        ...(out === null ? {} : { wayStart: out.start, way: out.steps }),
      },
    });
    const found = reply.valid ?? {};
    return {
      version: number(found.version), legal: found.legal ?? false, cost: costOf(found.cost), offending: [...(found.offending ?? [])],
      offendingWay: [...(found.offendingWay ?? [])],
    };
  }

  /** The costs to its goals from the cells around it, `reach` cells each way. */
  async field(reach: number): Promise<Field> {
    const askField = { world: this.world, agent: this.name, reach: check.whole("reach", reach, 0, 64) };
    const found = (await this.#connection.ask({ askField })).field ?? {};
    return {
      version: number(found.version), x: found.x ?? 0, y: found.y ?? 0, width: found.width ?? 0, height: found.height ?? 0,
      costs: (found.costs ?? []).map(costOf), steps: Array.from(found.steps ?? [], (step) => (step === 255 ? null : step)),
    };
  }

  async close(): Promise<void> {
    await this.#connection.ask({ closeAgent: { world: this.world, agent: this.name } });
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Answer, void, undefined> {
    yield* answersOfAgent(this.#connection, this.world, this.name, () => this.#alone());
  }

  async *#alone(): AsyncGenerator<Answer, void, undefined> {
    yield* answersOf(await watchOf(this.#connection, this.world, [this.name], {}));
  }
}

export interface WatchOptions {
  /** The agents may be opened later; else they must be open. */
  later?: boolean;
  /** The daemon sends only the new part of a path, which is made whole here; true. */
  splices?: boolean;
  /** Go on when the daemon went away and came back; true. */
  resume?: boolean;
}

export const WATCH_OPTIONS = ["later", "splices", "resume"];

export async function watchOf(connection: Connection, world: string, agents: string[] | null, options: WatchOptions): Promise<Watch> {
  const splices = check.truth("options.splices", options.splices ?? true);
  const later = check.truth("options.later", options.later ?? false);
  const body = { world, all: agents === null, agents: agents ?? [], splices, batch: BATCH, segments: true };
  const watching = new Watching(connection, body, check.truth("options.resume", options.resume ?? true));
  await watching.open(later);
  return new Watch(watching);
}

/** Start and steps of a path of cells. */
function wayOf(name: string, cells: Point[], window: Window): { start: number; steps: Uint8Array } {
  const { width, height } = window.frame ?? { width: 0, height: 0 };
  if (check.list(name, cells).length === 0) {
    throw check.invalid(name, "is empty, it must have 1 cell or more");
  }
  const found = check.cells(name, cells, width, height);
  const steps = found.slice(1).map((cell, i) => {
    const before = found[i]!;
    const dx = shortWay((cell % width) - (before % width), width);
    const dy = shortWay(Math.floor(cell / width) - Math.floor(before / width), height);
    const step = STEPS.findIndex(([x, y]) => x === dx && y === dy);
    if (step < 0) {
      throw check.invalid(`${name}[${i + 1}]`, `is [${cells[i + 1]}], no neighbour of [${cells[i]}]`);
    }
    return step;
  });
  return { start: found[0]!, steps: Uint8Array.from(steps) };
}

/** Over the edge of a world that wraps, to the other side of it. */
function shortWay(step: number, side: number): number {
  return Math.abs(step) <= 1 ? step : step > 0 ? step - side : step + side;
}
