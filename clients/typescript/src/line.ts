// The line to a daemon: one DEALER, which connects again by itself. It moves frames; connection.ts knows what they mean.
import { Dealer } from "zeromq";
import * as check from "./arguments";
import { NoDaemon } from "./errors";

export const CONNECT_MS = 1500;
const HEARTBEAT_MS = 1000;
const SILENCE_MS = 4000; // a daemon that stands still is noticed as a broken line

export interface LineOwner {
  took(frame: Uint8Array): void;
  broke(): void;
  joined(): void;
}

export class Line {
  readonly #socket = new Dealer({
    immediate: true, // nothing is queued for nobody
    linger: 200,
    receiveHighWaterMark: 0, // bounded by credit instead
    heartbeatInterval: HEARTBEAT_MS,
    heartbeatTimeout: SILENCE_MS,
    sendTimeout: CONNECT_MS,
  });
  readonly #control: string;
  readonly #owner: LineOwner;
  #isUp = false;
  #isClosed = false;
  #waiting = new Set<() => void>();
  #sending: Promise<unknown> = Promise.resolve();

  constructor(control: string, owner: LineOwner) {
    this.#control = control;
    this.#owner = owner;
    const fault = faultOf(control);
    try {
      if (fault !== null) {
        throw new Error(fault);
      }
      void this.#observe();
      this.#socket.connect(control);
    } catch (error) {
      this.close();
      throw check.invalid("control", `is ${JSON.stringify(control)}, it must be an endpoint as tcp://127.0.0.1:7403: ${(error as Error).message}`);
    }
    void this.#receive();
  }

  get isUp(): boolean {
    return this.#isUp;
  }

  /** Wait until a daemon is there. False when none came in time. */
  async up(ms: number): Promise<boolean> {
    if (!this.#isUp && !this.#isClosed && ms > 0) {
      await new Promise<void>((resolve) => {
        const done = (): void => {
          clearTimeout(timer);
          this.#waiting.delete(done);
          resolve();
        };
        const timer = setTimeout(done, ms);
        this.#waiting.add(done);
      });
    }
    return this.#isUp;
  }

  /** One after the other: a socket sends one message at a time. */
  send(frame: Uint8Array): Promise<void> {
    const sent = this.#sending.then(async () => {
      if (this.#isClosed) {
        throw new NoDaemon("this client was closed");
      }
      if (!(await this.up(CONNECT_MS))) {
        throw new NoDaemon(`no daemon answers at ${this.#control}`);
      }
      await this.#socket.send(frame);
    }).catch((error: unknown) => {
      throw error instanceof NoDaemon ? error : new NoDaemon("the daemon is gone");
    });
    this.#sending = sent.catch(() => undefined);
    return sent;
  }

  close(): void {
    this.#isClosed = true;
    this.#isUp = false;
    this.#wake();
    this.#socket.close();
  }

  #wake(): void {
    for (const done of [...this.#waiting]) {
      done();
    }
  }

  async #observe(): Promise<void> {
    for await (const event of this.#socket.events) {
      if (event.type === "handshake" && !this.#isClosed) {
        this.#isUp = true;
        this.#wake();
        this.#owner.joined();
      } else if (event.type === "disconnect" && this.#isUp) {
        this.#isUp = false;
        this.#owner.broke();
      }
    }
  }

  async #receive(): Promise<void> {
    try {
      for await (const parts of this.#socket) {
        const frame = parts[parts.length - 1];
        if (frame !== undefined) {
          this.#owner.took(frame);
        }
      }
    } catch (error) {
      if (!this.#isClosed) {
        throw error;
      }
    }
  }
}

/** What is at inproc:// is within this process. */
function faultOf(endpoint: string): string | null {
  if (!endpoint.includes("://")) {
    return "it has no scheme, tcp:// before a host and its port, or ipc:// before a path";
  }
  return /^(tcp|ipc):\/\//.test(endpoint) ? null : "it has a scheme other than tcp:// and ipc://";
}
