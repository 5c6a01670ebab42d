import type { Event } from "./connection";
import { type Frame, frameOf, NOWHERE } from "./frame";
import { hashCell } from "./hash";
import { number, v1 } from "./wire";

export type News = "taken" | "waiting" | "old" | "hole" | "differs";

/** A copy of a world's cells, as its watch tells them. Nothing counts before isWhole. */
export class Mirror {
  isWhole = false;
  epoch = 0;
  version = 0;
  window = 0;
  frame: Frame = NOWHERE;
  neighbors: 4 | 8 = 8;
  wraps = false;
  profile = "factor";
  /** Row by row [width * height]; it changes with the next version. */
  data = new Uint8Array(0);
  #nextRow = 0;
  #hash = new Int32Array(2);

  get width(): number {
    return this.frame.width;
  }

  get height(): number {
    return this.frame.height;
  }

  /** Take in a message of the watch. "hole", "differs": it must be asked for anew.
   * @internal */
  take(event: Event): News {
    switch (event.kind) {
      case "chunk": return this.#takeChunk(event.message);
      case "delta": return this.#takeDelta(event.message);
      case "head": return this.#takeHead(event.message);
      default: return "old";
    }
  }

  #hole(): News {
    this.isWhole = false;
    this.frame = NOWHERE;
    this.data = new Uint8Array(0);
    return "hole";
  }

  /** Rows of a snapshot; the first ones begin it anew. Each shows the world as all deltas before it left it. */
  #takeChunk(chunk: v1.IChunk): News {
    if (chunk.first) {
      this.isWhole = false;
      this.frame = frameOf(chunk.geometry);
      this.neighbors = chunk.neighbors === 4 ? 4 : 8;
      this.wraps = chunk.wraps ?? false;
      this.profile = chunk.profile ?? "";
      this.data = new Uint8Array(this.width * this.height);
      this.epoch = number(chunk.epoch);
      this.version = number(chunk.version);
      this.window = number(chunk.window);
      this.#nextRow = 0;
    }
    const rows = chunk.rows ?? 0;
    const data = chunk.data ?? new Uint8Array(0);
    if (this.isWhole || this.width === 0 || number(chunk.epoch) !== this.epoch || number(chunk.version) !== this.version ||
      (chunk.firstRow ?? 0) !== this.#nextRow || rows > this.height - this.#nextRow || data.length !== rows * this.width) {
      return this.#hole();
    }
    this.data.set(data, this.#nextRow * this.width);
    this.#nextRow += rows;
    if (!chunk.last) {
      return "waiting";
    }
    if (this.#nextRow !== this.height) {
      return this.#hole();
    }
    this.#count();
    this.isWhole = true;
    return "taken";
  }

  /** What one version rewrote: another window first, then the rectangle, then the single cells. */
  #takeDelta(delta: v1.IDelta): News {
    if (this.width === 0) {
      return "waiting";
    }
    const version = number(delta.version);
    if (number(delta.epoch) === this.epoch && version <= this.version) {
      return "old";
    }
    if (number(delta.epoch) !== this.epoch || version !== this.version + 1 || delta.onlyNames || (delta.geometry != null && !this.isWhole)) {
      return this.#hole();
    }
    const isMoved = delta.geometry != null;
    if ((isMoved && !this.#move(delta)) || !this.#fits(delta)) {
      return this.#hole();
    }
    this.#write(delta, this.isWhole && !isMoved);
    if (isMoved) {
      this.#count();
    }
    this.version = version;
    this.window = number(delta.window);
    return this.isWhole ? "taken" : "waiting";
  }

  #takeHead(head: v1.IHead): News {
    if (this.width === 0) {
      return "waiting";
    }
    if (number(head.epoch) !== this.epoch) {
      return this.#hole();
    }
    const told = head.hash;
    if (!this.isWhole || number(head.version) !== this.version || told == null || typeof told === "number" || told.isZero()) {
      return "old"; // it is behind, ahead, or not counted yet
    }
    if (told.high !== this.#hash[0] || told.low !== this.#hash[1]) {
      this.#hole();
      return "differs";
    }
    return "taken";
  }

  #count(): void {
    this.#hash = new Int32Array(2);
    this.data.forEach((byte, cell) => hashCell(this.#hash, cell, byte));
  }

  #fits(delta: v1.IDelta): boolean {
    const [x, y, width, height] = [delta.x ?? 0, delta.y ?? 0, delta.width ?? 0, delta.height ?? 0];
    const cells = delta.cells ?? [];
    const values = delta.values?.length ?? 0;
    const isRect = width * height === 0 || (x + width <= this.width && y + height <= this.height &&
      (delta.data == null || delta.data.length === 0 || delta.data.length === width * height));
    return isRect && (cells.length === 0 || values === 1 || values === cells.length) && cells.every((cell) => cell < this.data.length);
  }

  #write(delta: v1.IDelta, counts: boolean): void {
    const set = (cell: number, byte: number): void => {
      if (counts) {
        hashCell(this.#hash, cell, this.data[cell]!);
        hashCell(this.#hash, cell, byte);
      }
      this.data[cell] = byte;
    };
    const [width, height] = [delta.width ?? 0, delta.height ?? 0];
    const isFilled = delta.data == null || delta.data.length === 0;
    for (let row = 0; row < height; row++) {
      for (let column = 0; column < width; column++) {
        set(((delta.y ?? 0) + row) * this.width + (delta.x ?? 0) + column, isFilled ? delta.fill ?? 0 : delta.data![row * width + column]!);
      }
    }
    (delta.cells ?? []).forEach((cell, i) => set(cell, delta.values![delta.values!.length > 1 ? i : 0]!));
  }

  /** All cells move, then come those that are new. */
  #move(delta: v1.IDelta): boolean {
    const [was, old] = [this.data, this.frame];
    const [movedX, movedY] = [delta.movedX ?? 0, delta.movedY ?? 0];
    this.frame = frameOf(delta.geometry);
    this.data = new Uint8Array(this.width * this.height);
    const left = Math.max(0, -movedX);
    const right = Math.min(this.width, old.width - movedX);
    for (let y = Math.max(0, -movedY); left < right && y < Math.min(this.height, old.height - movedY); y++) {
      const at = (y + movedY) * old.width + movedX;
      this.data.set(was.subarray(at + left, at + right), y * this.width + left);
    }
    const [rects, bytes] = [delta.rects ?? [], delta.rectData ?? new Uint8Array(0)];
    let at = 0;
    for (let i = 0; i + 3 < rects.length; i += 4) {
      const [x, y, side, rows] = [rects[i]!, rects[i + 1]!, rects[i + 2]!, rects[i + 3]!];
      if (x + side > this.width || y + rows > this.height || at + side * rows > bytes.length) {
        return false;
      }
      for (let row = y; row < y + rows; row++, at += side) {
        this.data.set(bytes.subarray(at, at + side), row * this.width + x);
      }
    }
    return at === bytes.length;
  }
}
