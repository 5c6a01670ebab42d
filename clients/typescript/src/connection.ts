// What requests need: ids, replies, the windows that cells are of, refusals, and the watches.
import { randomInt } from "node:crypto";
import { NoDaemon, ReplanError, type Status } from "./errors";
import { Line } from "./line";
import type { Watching } from "./watching";
import { Windows, windowOf, type Window } from "./windows";
import { number, v1 } from "./wire";

const GRACE_MS = 500; // the daemon tells TIMEOUT itself at the deadline: wait a little longer to hear it
const MESSAGE_MAX = 20 << 20; // RP_LIMIT_MESSAGE_BYTES: the daemon ends the line of who sends more
export const DATA_MAX = MESSAGE_MAX - (64 << 10); // what a message has room for beside everything else
const WINDOW = 63; // RP_LIMIT_WINDOW without one place: requests under way

interface Pending {
  resolve(reply: v1.IReply): void;
  reject(error: Error): void;
  timer: NodeJS.Timeout;
}

/** A message of a watch. */
export type Event =
  | { kind: "answer"; message: v1.IAnswer }
  | { kind: "head"; message: v1.IHead }
  | { kind: "delta"; message: v1.IDelta }
  | { kind: "chunk"; message: v1.IChunk }
  | { kind: "ended"; message: v1.IEnded };

export class Connection {
  readonly windows = new Windows();
  /** Epoch and version that were heard last, by world. */
  readonly versions = new Map<string, { epoch: number; version: number }>();
  readonly line: Line;
  readonly #life = randomInt(1, 2 ** 48 - 1); // ids of another run are not taken for this one's
  #nextId = randomInt(1, 2 ** 20) * 2 ** 32 + 1;
  readonly #pending = new Map<number, Pending>();
  #room: (() => void)[] = []; // requests that wait for a place
  readonly #watches = new Map<number, Watching>(); // by the daemon's number
  readonly #unbound = new Set<Watching>(); // that wait for a daemon
  #early = new Map<number, Event[]>(); // of watches whose number is not told yet
  #asked = 0; // watches whose number is not told yet
  #isClosed = false;

  constructor(readonly control: string, readonly timeoutMs: number, readonly strict: boolean) {
    this.line = new Line(control, {
      took: (frame) => this.#took(frame),
      broke: () => this.#broke(),
      joined: () => this.#joined(),
    });
  }

  // ---- requests

  /** Send one request. What its reply tells of windows is heard. */
  async ask(body: v1.IRequest, timeoutMs = this.timeoutMs): Promise<v1.IReply> {
    const reply = await this.askAside(body, timeoutMs);
    for (const message of [reply.answer, reply.chunk]) {
      if (message != null) {
        this.hearOf(message);
      }
    }
    for (const info of reply.worlds?.worlds ?? []) {
      this.windows.hear(info.world ?? "", windowOf(info.head?.epoch, info.window, info.geometry));
      this.versions.set(info.world ?? "", { epoch: number(info.head?.epoch), version: number(info.head?.version) });
    }
    return reply;
  }

  /** The same for what the program does not hear of: the cells that it computed stay those of the window before. */
  async askAside(body: v1.IRequest, timeoutMs = this.timeoutMs): Promise<v1.IReply> {
    const request: v1.IRequest = { ...body, life: this.#life, deadlineMs: timeoutMs };
    this.windows.name(request);
    let reply = await this.#exchange(request, timeoutMs);
    if (reply.present != null && this.windows.replace(request, reply.present)) {
      reply = await this.#exchange(request, timeoutMs);
    }
    if ((reply.status ?? 0) !== v1.Status.OK) {
      throw this.#refusal(request, reply);
    }
    if (reply.applied != null) {
      this.#hearApplied(request, reply.applied);
    }
    return reply;
  }

  async #exchange(request: v1.IRequest, timeoutMs: number): Promise<v1.IReply> {
    while (this.#pending.size >= WINDOW) {
      await new Promise<void>((resolve) => this.#room.push(resolve));
    }
    if (this.#isClosed) {
      throw new NoDaemon("this client was closed");
    }
    const id = this.#nextId++;
    const packed = this.#pack({ ...request, id });
    const reply = new Promise<v1.IReply>((resolve, reject) => {
      const timer = setTimeout(() => this.#settle(id)?.reject(new NoDaemon(`no reply within ${timeoutMs} ms`)), timeoutMs + GRACE_MS);
      this.#pending.set(id, { resolve, reject, timer });
    });
    this.line.send(packed).catch((error: Error) => this.#settle(id)?.reject(error));
    return reply;
  }

  /** A request that cannot be sent leaves its place to the next one. */
  #pack(request: v1.IRequest): Uint8Array {
    try {
      const packed = v1.Request.encode(request).finish();
      if (packed.length > MESSAGE_MAX) {
        throw new ReplanError("LIMIT", `the request has ${packed.length} bytes, a message at most ${MESSAGE_MAX}: more cells come by several writeRect()`);
      }
      return packed;
    } catch (error) {
      this.#room.shift()?.();
      throw error;
    }
  }

  #settle(id: number): Pending | undefined {
    const pending = this.#pending.get(id);
    if (pending !== undefined) {
      this.#pending.delete(id);
      clearTimeout(pending.timer);
      this.#room.shift()?.();
    }
    return pending;
  }

  #hearApplied(request: v1.IRequest, applied: v1.IApplied): void {
    const world = worldOf(request);
    if (request.apply != null) {
      this.windows.hearNumber(world, number(applied.epoch), number(applied.window));
    }
    this.versions.set(world, { epoch: number(applied.epoch), version: number(applied.version) });
  }

  /** A window that is gone is forgotten: it is named once. */
  #refusal(request: v1.IRequest, reply: v1.IReply): ReplanError {
    if (reply.present != null) {
      this.windows.forget(worldOf(request));
    }
    return new ReplanError(v1.Status[reply.status ?? 0] as Status, reply.sentence ?? "");
  }

  /** What a reader took tells which window cells are of from now on, and how far the world is. */
  hearOf(message: v1.IAnswer | v1.IChunk | v1.IDelta): void {
    this.windows.hearOf(message);
    this.versions.set(message.world ?? "", { epoch: number(message.epoch), version: number(message.version) });
  }

  // ---- worlds, as calls need them

  /** What the daemon says of a world; the program does not hear it. */
  async info(world: string): Promise<v1.IWorldInfo> {
    const reply = await this.askAside({ listWorlds: {} });
    const found = reply.worlds?.worlds?.find((info) => info.world === world);
    if (found === undefined) {
      throw new ReplanError("UNKNOWN", `there is no world "${world}"`);
    }
    return found;
  }

  /** The window that cells of a world are of, here. */
  async window(world: string): Promise<Window> {
    const known = this.windows.get(world);
    if (known !== undefined) {
      return known;
    }
    const info = await this.info(world);
    return windowOf(info.head?.epoch, info.window, info.geometry);
  }

  // ---- watches

  /** Ask for a watch. From its reply on messages of its number are this watch's. Returns the number. */
  async bind(body: v1.IWatch, watch: Watching): Promise<number> {
    this.#asked++;
    try {
      const reply = await this.askAside({ watch: body });
      const known = reply.watching?.watch ?? 0;
      this.#unbound.delete(watch);
      this.#watches.set(known, watch);
      watch.events.push(...(this.#early.get(known) ?? []));
      this.#early.delete(known);
      return known;
    } finally {
      this.#asked--;
      if (this.#asked === 0) {
        this.#early.clear();
      }
    }
  }

  unbind(number: number, watch: Watching): void {
    this.#watches.delete(number);
    this.#unbound.delete(watch);
  }

  /** The same for one that goes on as soon as a daemon has it. */
  release(number: number, watch: Watching): void {
    this.#watches.delete(number);
    this.#unbound.add(watch);
  }

  /** Nobody waits for this reply any more: the watch that it tells of ends at the daemon. */
  #endLate(reply: v1.IReply): void {
    const watch = reply.watching?.watch ?? 0;
    if (watch !== 0) {
      this.#early.delete(watch);
      this.line.send(v1.Request.encode({ life: this.#life, unwatch: { watch } }).finish()).catch(() => undefined);
    }
  }

  /** A request without an id, which is not replied to. */
  async credit(credit: v1.ICredit): Promise<void> {
    await this.line.send(v1.Request.encode({ life: this.#life, credit }).finish());
  }

  // ---- what the line says

  #took(frame: Uint8Array): void {
    let news: v1.ToClient;
    try {
      news = v1.ToClient.decode(frame);
    } catch {
      return; // no daemon of ours says that
    }
    if (news.reply != null) {
      const pending = this.#settle(number(news.reply.id));
      if (pending !== undefined) {
        pending.resolve(news.reply);
      } else {
        this.#endLate(news.reply);
      }
    } else {
      this.#file(news.watch, eventsOf(news));
    }
  }

  /** Where the reader of its watch finds it. A watch may speak before it is told its number. */
  #file(number: number, events: Event[]): void {
    const watch = this.#watches.get(number);
    if (watch === undefined && this.#asked > 0) {
      this.#early.set(number, [...(this.#early.get(number) ?? []), ...events]);
    } else {
      watch?.events.push(...events);
      watch?.wake();
    }
  }

  #broke(): void {
    for (const id of [...this.#pending.keys()]) {
      this.#settle(id)?.reject(new NoDaemon("the daemon went away before it replied"));
    }
    for (const watch of this.#unbound) {
      watch.breakAgain();
    }
    const bound = [...this.#watches.values()];
    this.#watches.clear();
    this.#early.clear();
    for (const watch of bound) {
      this.#unbound.add(watch);
      watch.breakOff();
    }
  }

  #joined(): void {
    for (const watch of this.#unbound) {
      watch.goOn();
    }
  }

  close(): void {
    if (this.#isClosed) {
      return;
    }
    this.#isClosed = true;
    for (const id of [...this.#pending.keys()]) {
      this.#settle(id)?.reject(new NoDaemon("this client was closed"));
    }
    for (const wake of this.#room.splice(0)) {
      wake(); // each is refused then
    }
    for (const watch of [...this.#watches.values(), ...this.#unbound]) {
      watch.end();
    }
    this.line.close();
  }
}

function eventsOf(news: v1.ToClient): Event[] {
  return news.answer != null ? [{ kind: "answer", message: news.answer }]
    : news.answers != null ? (news.answers.answers ?? []).map((message) => ({ kind: "answer", message }))
    : news.head != null ? [{ kind: "head", message: news.head }]
    : news.delta != null ? [{ kind: "delta", message: news.delta }]
    : news.chunk != null ? [{ kind: "chunk", message: news.chunk }]
    : news.ended != null ? [{ kind: "ended", message: news.ended }] : [];
}

/** Name of the world that a request is about. */
function worldOf(request: v1.IRequest): string {
  const body = request.apply?.change ?? request.askProbe?.change ?? request.overlay ?? request.resize ?? request.createWorld ?? request.askValid;
  return body?.world ?? "";
}
