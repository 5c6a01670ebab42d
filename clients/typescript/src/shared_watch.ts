// One watch of a world, for all the loops that each go over an agent of it: a daemon has 256 watches for a client. A loop over an agent
// has a watch of it alone while few are. From SHARED_FROM on the next ones share a watch of all agents of their world, those of others, too,
// and get the newest answer of theirs: what a loop was too slow for is left out.
import { Answer } from "./answer";
import type { Connection } from "./connection";
import { ReplanError } from "./errors";
import { Watching } from "./watching";
import { number, v1 } from "./wire";

const SHARED_FROM = 128; // loops over agents that have a watch each
const BATCH = 16; // answers in one message

/** The newest answer for one loop, until it takes it. */
class Slot {
  #newest: v1.IAnswer | null = null;
  #known = "";
  #error: unknown = null;
  #wake: () => void = () => undefined;

  put(answer: v1.IAnswer): void {
    const known = `${number(answer.epoch)} ${number(answer.pathSeq)} ${number(answer.arrivalUs)}`;
    if (known !== this.#known) { // else it was asked for while it was on its way
      this.#newest = answer;
      this.#known = known;
      this.#wake();
    }
  }

  fail(error: unknown): void {
    this.#error = error;
    this.#wake();
  }

  async take(): Promise<Answer> {
    while (this.#newest === null) {
      if (this.#error !== null) {
        throw this.#error;
      }
      await new Promise<void>((resolve) => { this.#wake = resolve; });
    }
    const answer = this.#newest;
    this.#newest = null;
    return new Answer(answer);
  }
}

/** It is open while somebody reads. */
class SharedWatch {
  readonly #connection: Connection;
  readonly #world: string;
  readonly #slots = new Map<string, Set<Slot>>();
  #watching: Watching | null = null;

  constructor(connection: Connection, world: string) {
    this.#connection = connection;
    this.#world = world;
  }

  /** Of one agent, which must be there, the newest first. */
  async *answers(name: string): AsyncGenerator<Answer, void, undefined> {
    await this.#connection.askAside({ askWhy: { world: this.#world, agent: name } });
    const slot = new Slot();
    const slots = this.#slots.get(name) ?? new Set();
    this.#slots.set(name, slots.add(slot));
    if (this.#watching === null) {
      const body = { world: this.#world, all: true, splices: true, batch: BATCH, segments: true };
      this.#watching = new Watching(this.#connection, body, true);
      void this.#read(this.#watching);
    } else {
      this.#watching.want(name);
    }
    try {
      for (;;) {
        yield await slot.take();
      }
    } finally {
      slots.delete(slot);
      if (slots.size === 0 && this.#slots.get(name) === slots) {
        this.#slots.delete(name);
      }
      if (this.#slots.size === 0) {
        const over: Watching | null = this.#watching;
        this.#watching = null;
        await over?.close();
      }
    }
  }

  async #read(watching: Watching): Promise<void> {
    try {
      await watching.open(true);
      for (;;) {
        const event = await watching.next(Infinity);
        if (event?.kind === "answer") {
          for (const slot of this.#slots.get(event.message.agent ?? "") ?? []) {
            slot.put(event.message);
          }
        }
      }
    } catch (error) {
      if (this.#watching === watching) {
        this.#watching = null;
        for (const slot of [...this.#slots.values()].flatMap((slots) => [...slots])) {
          slot.fail(error);
        }
      }
      await watching.close().catch(() => undefined); // one whose world is gone would wait for it, and nobody for its answers
    }
  }
}

/** How the agents of a connection are gone over. */
class AgentWatches {
  alone = 0; // watches of one agent
  readonly shared = new Map<string, SharedWatch>();
}

const known = new WeakMap<Connection, AgentWatches>();

/** The answers of an agent. alone: of a watch of it alone. */
export async function* answersOfAgent(connection: Connection, world: string, name: string,
  alone: () => AsyncGenerator<Answer, void, undefined>): AsyncGenerator<Answer, void, undefined> {
  const own = known.get(connection) ?? new AgentWatches();
  known.set(connection, own);
  if (own.alone < SHARED_FROM) {
    own.alone++;
    try {
      yield* alone();
    } finally {
      own.alone--;
    }
    return;
  }
  const shared = own.shared.get(world) ?? new SharedWatch(connection, world);
  own.shared.set(world, shared);
  try {
    yield* shared.answers(name);
  } catch (error) {
    if (!(error instanceof ReplanError) || error.status !== "CLOSED") {
      throw error;
    }
  }
}
