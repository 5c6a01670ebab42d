// Windows: which rectangle of the plane a world is, as this client heard it last. Cells that a program computed are those of
// the window whose geometry it heard; what it writes names that window, so that it lands where it was meant to.
import { type Frame, frameOf } from "./frame";
import { number, v1 } from "./wire";

export interface Window {
  readonly epoch: number;
  readonly number: number;
  /** null: only the number was heard, with the reply to a change. */
  readonly frame: Frame | null;
}

interface Named {
  epoch?: number | { toNumber(): number } | null;
  window?: number | { toNumber(): number } | null;
}

export function windowOf(epoch: unknown, window: unknown, geometry: v1.IGeometry | null | undefined): Window {
  return { epoch: number(epoch as number), number: number(window as number), frame: geometry == null ? null : frameOf(geometry) };
}

function haveSameCells(one: Frame | null, other: Frame | null): boolean {
  return one !== null && other !== null && one.resolution !== 0 && one.width === other.width && one.height === other.height &&
    one.resolution === other.resolution && one.origin.every((value, i) => value === other.origin[i]);
}

export class Windows {
  #known = new Map<string, Window>();

  /** undefined: no geometry was heard. */
  get(world: string): Window | undefined {
    const known = this.#known.get(world);
    return known?.frame === null ? undefined : known;
  }

  /** One that is older than what is known tells nothing new: an answer may have been under way. */
  hear(world: string, window: Window): void {
    const known = this.#known.get(world);
    const isNewer = known === undefined || window.epoch > known.epoch || (window.epoch === known.epoch && window.number >= known.number);
    if (isNewer && window.frame !== null) {
      this.#known.set(world, window);
    }
  }

  /** A change was written, for the newest window if none was named: the next ones are meant for that, too. */
  hearNumber(world: string, epoch: number, window: number): void {
    if (!this.#known.has(world) && window !== 0) {
      this.#known.set(world, { epoch, number: window, frame: null });
    }
  }

  /** An Answer, a Chunk or a Delta that a reader took. */
  hearOf(message: { world?: string | null; epoch?: unknown; window?: unknown; geometry?: v1.IGeometry | null }): void {
    if (message.geometry != null) {
      this.hear(message.world ?? "", windowOf(message.epoch, message.window, message.geometry));
    }
  }

  forget(world: string): void {
    this.#known.delete(world);
  }

  /** Name the window that a request's cells are of, if it does not by itself. */
  name(request: v1.IRequest): void {
    const named = namedOf(request);
    const known = named === null ? undefined : this.#known.get(named.world);
    if (named !== null && known !== undefined && known.number !== 0 && !number(named.message.epoch as number) && !number(named.message.window as number)) {
      named.message.epoch = known.epoch;
      named.message.window = known.number;
    }
  }

  /** A window is gone. True when it was the known one and the present one has its cells: then that is named instead. */
  replace(request: v1.IRequest, present: v1.IWindow): boolean {
    const named = namedOf(request);
    const known = named === null ? undefined : this.get(named.world);
    const now = windowOf(present.epoch, present.window, present.geometry);
    if (named === null || known === undefined || number(named.message.epoch as number) !== known.epoch ||
      number(named.message.window as number) !== known.number || !haveSameCells(known.frame, now.frame)) {
      return false;
    }
    this.#known.set(named.world, now);
    named.message.epoch = now.epoch;
    named.message.window = now.number;
    return true;
  }
}

/** The part of a request that names a window, and its world; null: its kind names none. */
function namedOf(request: v1.IRequest): { world: string; message: Named } | null {
  const change = request.apply?.change ?? (number(request.askProbe?.epoch) ? null : request.askProbe?.change);
  const message = change ?? request.askValid;
  return message == null ? null : { world: message.world ?? "", message: message as Named };
}
