// What a watch is, whoever reads it: its events, whole paths, credit, and how it goes on after a break. When the line breaks
// the daemon forgets its watches. A watch is asked for again as soon as a daemon is there, and says in words what was lost.
import { splice } from "./answer";
import type { Connection, Event } from "./connection";
import { NoDaemon, ReplanError } from "./errors";
import { number, v1 } from "./wire";

const CREDIT = 256; // events that a watch may be ahead of its reader
const RETRY_MS = 100; // between two looks for a world that is gone

export class Watching {
  events: Event[] = [];
  /** What was lost when the daemon went away, a sentence each time. */
  readonly lost: string[] = [];
  readonly #connection: Connection;
  readonly #body: v1.IWatch;
  readonly #resumes: boolean;
  #number = 0; // 0 while no daemon knows it
  #isOver = false;
  #fault: ReplanError | null = null; // that its reader gets next
  #paths = new Map<string, { pathSeq: number; steps: Uint8Array }>(); // with splices: the newest of each agent
  #wanted: string[] = []; // agents whose next answer must be whole
  #spent = 0;
  #brokeAt = 0;
  #before: { epoch: number; version: number } | undefined; // that were heard last before the break
  #why: string | null = null; // it is asked for anew; null: the line broke
  #toldGone = false;
  #isGoingOn = false;
  #wakers = new Set<() => void>();

  constructor(connection: Connection, body: v1.IWatch, resumes: boolean) {
    this.#connection = connection;
    this.#body = { ...body, credit: CREDIT };
    this.#resumes = resumes;
  }

  // ---- birth, break and end

  /** Ask the daemon for it. An agent that is named must be there, unless it may be opened later. */
  async open(later: boolean): Promise<void> {
    for (const agent of later ? [] : this.#body.agents ?? []) {
      await this.#connection.askAside({ askWhy: { world: this.#body.world ?? "", agent } });
    }
    await this.#ask();
  }

  async #ask(): Promise<void> {
    this.#paths.clear();
    this.#wanted = [];
    this.#spent = 0;
    this.#number = await this.#connection.bind(this.#body, this);
    if (this.#isOver) { // it was closed meanwhile
      await this.close();
    }
    this.wake();
  }

  /** End it. */
  async close(): Promise<void> {
    const known = this.#number;
    this.#connection.unbind(known, this);
    this.end();
    if (known !== 0 && this.#connection.line.isUp) {
      try {
        await this.#connection.askAside({ unwatch: { watch: known } });
      } catch (error) {
        if (!(error instanceof NoDaemon)) {
          throw error;
        }
      }
    }
  }

  /** Nothing comes any more. */
  end(): void {
    this.#isOver = true;
    this.#number = 0;
    this.events = [];
    this.wake();
  }

  /** The line broke. What had come and was not read is older than what comes next. */
  breakOff(): void {
    this.#number = 0;
    this.#brokeAt = Date.now();
    this.#before = this.#connection.versions.get(this.#body.world ?? "");
    this.#why = null;
    this.events = [];
    this.wake();
  }

  /** The line broke while no daemon knew it: that is more than what it was asked for anew for. */
  breakAgain(): void {
    this.#why = null;
  }

  /** What its reader holds does not continue: ask for all of it. */
  async askAnew(why: string): Promise<void> {
    const known = this.#number;
    this.#connection.release(known, this);
    this.breakOff();
    this.#why = why;
    await this.#connection.askAside({ unwatch: { watch: known } }).catch(() => undefined);
    this.goOn();
  }

  /** A daemon is there: try until it has the watch. */
  goOn(): void {
    if (this.#resumes && !this.#isGoingOn && !this.#isOver && this.#number === 0) {
      this.#isGoingOn = true;
      void this.#tryOn().finally(() => {
        this.#isGoingOn = false;
        if (this.#connection.line.isUp) {
          this.goOn();
        }
      });
    }
  }

  async #tryOn(): Promise<void> {
    while (!this.#isOver && this.#number === 0 && this.#connection.line.isUp) {
      try {
        await this.#resume();
        return;
      } catch (error) {
        if (error instanceof ReplanError && error.status === "UNKNOWN" && !this.#toldGone) {
          this.#toldGone = true;
          this.#fault = new ReplanError("UNKNOWN", this.#gone());
          this.lost.push(this.#fault.sentence);
          this.wake();
        }
      }
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }

  /** Ask for it again, and say what was lost. */
  async #resume(): Promise<void> {
    const world = this.#body.world ?? "";
    const info = await this.#connection.info(world);
    const missing = await this.#missing(world);
    await this.#ask();
    this.lost.push(this.#words({ epoch: number(info.head?.epoch), version: number(info.head?.version) }, missing));
    this.#toldGone = false;
    this.wake();
  }

  /** Those of the watched agents that are not open any more. */
  async #missing(world: string): Promise<string[]> {
    const missing: string[] = [];
    for (const agent of this.#body.agents ?? []) {
      try {
        await this.#connection.askAside({ askWhy: { world, agent } });
      } catch (error) {
        if (!(error instanceof ReplanError) || error.status !== "UNKNOWN") {
          throw error;
        }
        missing.push(agent);
      }
    }
    return missing;
  }

  #gone(): string {
    return `the line to ${this.#connection.control} broke, and the daemon that is there now has no world "${this.#body.world}": ` +
      "its cells and agents are lost; the watch waits for it";
  }

  #words(now: { epoch: number; version: number }, missing: string[]): string {
    const passed = (Date.now() - this.#brokeAt) / 1000;
    const before = this.#before;
    const isAnew = this.#toldGone && before?.epoch !== now.epoch;
    const told = isAnew ? "its world was gone, and was made anew: what it was before is lost" : this.#why ??
      (before === undefined || before.epoch === now.epoch
        ? "the daemon is the same, no change is lost; answers that newer ones replaced are"
        : now.version < before.version
          ? `another epoch of the world began (${before.epoch}, now ${now.epoch}); it is at version ${now.version}, ` +
            `and was at ${before.version}: the changes since are lost`
          : `the daemon was started again (epoch ${before.epoch}, now ${now.epoch}); no change up to version ${before.version} ` +
            "is lost, answers of the old epoch are void");
    const agents = missing.length === 0 ? "" : `; lost are the agents ${missing.join(", ")}`;
    return `the watch of "${this.#body.world}" goes on after ${passed.toFixed(1)} s: ${told}${agents}`;
  }

  // ---- reading

  /** The newest answer of an agent is to come at once, and whole. */
  want(agent: string): void {
    this.#wanted.push(agent);
    this.#pay();
  }

  /** Something is to be read, or it is over. */
  wake(): void {
    for (const waker of [...this.#wakers]) {
      waker();
    }
  }

  /** The next event; null when none came in time. Throws when it is over, and once when its world is gone. */
  async next(timeoutMs: number): Promise<Event | null> {
    const deadline = Date.now() + timeoutMs;
    for (;;) {
      const event = this.#take();
      if (event !== null) {
        return event;
      }
      if (this.#number === 0 && !this.#resumes && !this.#isOver) {
        throw new NoDaemon("the watch is over: the daemon went away");
      }
      const left = deadline - Date.now();
      if (left <= 0) {
        return null;
      }
      await this.#news(left);
    }
  }

  #news(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.#wakers.delete(done);
        resolve();
      };
      // A timer holds 2^31 ms; who waits longer, or for ever, is kept by the socket.
      const timer = setTimeout(done, Math.min(ms, 2 ** 31 - 1));
      this.#wakers.add(done);
    });
  }

  #take(): Event | null {
    const fault = this.#fault;
    this.#fault = null;
    if (fault !== null) {
      throw fault;
    }
    if (this.#isOver) {
      throw new ReplanError("CLOSED", "the watch is over: it was closed");
    }
    for (let event = this.events[0]; event !== undefined; event = this.events[0]) {
      if (event.kind === "ended") { // stays, so that every later call says so too
        this.#connection.unbind(this.#number, this);
        this.#number = 0; // the daemon has none to end
        throw new ReplanError("UNKNOWN", event.message.sentence ?? "the daemon ended the watch");
      }
      this.events.shift();
      this.#spent++;
      const isWhole = event.kind !== "answer" || this.#makeWhole(event.message);
      this.#pay();
      if (isWhole) {
        this.#hear(event);
        return event;
      }
    }
    return null;
  }

  #hear(event: Event): void {
    if (event.kind === "answer" || event.kind === "chunk" || event.kind === "delta") {
      this.#connection.hearOf(event.message);
    }
  }

  /** Fill in what a splice leaves out. False without its base: it is asked for whole then. */
  #makeWhole(answer: v1.IAnswer): boolean {
    if (!this.#body.splices) {
      return true;
    }
    const agent = answer.agent ?? "";
    const steps = splice(answer, this.#paths.get(agent));
    if (steps === null) {
      this.#paths.delete(agent);
      this.#wanted.push(agent);
      return false;
    }
    answer.steps = steps;
    this.#paths.set(agent, { pathSeq: number(answer.pathSeq), steps });
    return true;
  }

  #pay(): void {
    if (this.#number === 0 || (2 * this.#spent < CREDIT && this.#wanted.length === 0)) {
      return;
    }
    const credit = { watch: this.#number, credit: this.#spent, whole: this.#wanted };
    this.#spent = 0;
    this.#wanted = [];
    this.#connection.credit(credit).catch(() => undefined); // the line broke: a new watch has new credit
  }
}
