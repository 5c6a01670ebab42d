import * as check from "./arguments";
import { Answer } from "./answer";
import { ReplanError } from "./errors";
import { Mirror } from "./mirror";
import type { Watching } from "./watching";

/** New answers, as they come. The newest of each agent first; a slow reader gets the newest, never a backlog. */
export class Watch implements AsyncIterable<Answer> {
  readonly #watching: Watching;

  /** @internal */
  constructor(watching: Watching) {
    this.#watching = watching;
  }

  /** What was lost when the daemon went away, a sentence each time. */
  get lost(): readonly string[] {
    return this.#watching.lost;
  }

  /**
   * The next answer; null when none came in time. Without `timeoutMs` it waits for ever.
   * When the daemon went away and came back without the world: ReplanError "UNKNOWN", once; after that it waits.
   */
  async nextAnswer(timeoutMs = Infinity): Promise<Answer | null> {
    const deadline = Date.now() + waitOf(timeoutMs);
    for (;;) {
      const event = await this.#watching.next(Math.max(0, deadline - Date.now()));
      if (event === null || event.kind === "answer") {
        return event === null ? null : new Answer(event.message);
      }
    }
  }

  /** Ends with close(); the end of the loop closes it. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Answer, void, undefined> {
    yield* answersOf(this);
  }

  async close(): Promise<void> {
    await this.#watching.close();
  }
}

export async function* answersOf(watch: Watch): AsyncGenerator<Answer, void, undefined> {
  try {
    for (let answer = await watch.nextAnswer(); answer !== null; answer = await watch.nextAnswer()) {
      yield answer;
    }
  } catch (error) {
    if (!(error instanceof ReplanError) || error.status !== "CLOSED") {
      throw error;
    }
  } finally {
    await watch.close();
  }
}

/** A copy of a world's cells that follows its changes; a version that was missed, or another hash, is mended by itself. */
export class WorldMirror extends Mirror {
  readonly #watching: Watching;

  /** @internal */
  constructor(watching: Watching) {
    super();
    this.#watching = watching;
  }

  get lost(): readonly string[] {
    return this.#watching.lost;
  }

  /** Take in what comes next. True: the cells are those of another version; false: nothing came in time. */
  async follow(timeoutMs = Infinity): Promise<boolean> {
    const deadline = Date.now() + waitOf(timeoutMs);
    for (;;) {
      const event = await this.#watching.next(Math.max(0, deadline - Date.now()));
      if (event === null) {
        return false;
      }
      const news = this.take(event);
      if (news === "taken" && event.kind !== "head") {
        return true;
      }
      if (news === "hole" || news === "differs") {
        await this.#watching.askAnew(news === "hole" ? "its copy missed a version, and was sent anew"
          : "its copy was not what the daemon has, and was sent anew");
      }
    }
  }

  /** Its versions, as they come. */
  async *[Symbol.asyncIterator](): AsyncGenerator<number, void, undefined> {
    try {
      while (await this.follow()) {
        yield this.version;
      }
    } catch (error) {
      if (!(error instanceof ReplanError) || error.status !== "CLOSED") {
        throw error;
      }
    } finally {
      await this.close();
    }
  }

  async close(): Promise<void> {
    await this.#watching.close();
  }
}

const WAIT_MAX_MS = 1e9;

function waitOf(timeoutMs: unknown): number {
  return timeoutMs === Infinity ? Infinity : check.real("timeoutMs", timeoutMs, 0, WAIT_MAX_MS);
}
