// Arguments are checked before they become fields, which would take anything: each check gives the value back, or refuses it
// by name and limit. What a field can hold but the daemon does not allow is refused by the daemon, in the same form.
import { ReplanError } from "./errors";

/** A cell [x, y], or a point [x, y] in metres. */
export type Point = [number, number];
export type Bytes = Uint8Array | ArrayBuffer | ArrayLike<number>;
export type Matrix = ArrayLike<ArrayLike<number>>;

export const SIDE_MAX = 16384; // RP_LIMIT_SIDE
export const CELLS_MAX = 16368 * 16368; // RP_LIMIT_CELLS
export const WORD_MAX = 0xffffffff;
export const COORDINATE_MAX = 1e9; // RP_LIMIT_COORDINATE

const SHOWN_MAX = 80; // characters of a value in a sentence

export function invalid(name: string, words: string): ReplanError {
  return new ReplanError("INVALID", `${name} ${words}`, name);
}

/** The refusal of a value that is not of the form it must have. */
export function wrong(name: string, value: unknown, form: string): ReplanError {
  return invalid(name, `is ${shown(value)}, it must be ${form}`);
}

function shown(value: unknown): string {
  let text: string;
  try {
    text = typeof value === "string" ? JSON.stringify(value) : Array.isArray(value) ? `an array of ${value.length}`
      : typeof value === "function" ? "a function" : typeof value === "symbol" ? "a symbol"
      : value !== null && typeof value === "object" ? `an object (${value.constructor?.name ?? "no class"})` : String(value);
  } catch {
    text = "a value that cannot be shown";
  }
  return text.length <= SHOWN_MAX ? text : `${text.slice(0, SHOWN_MAX)}..`;
}

/** A whole number. */
export function whole(name: string, value: unknown, least: number, most: number): number {
  if (typeof value !== "number" || !Number.isInteger(value) || value < least || value > most) {
    throw wrong(name, value, `a whole number within ${least} and ${most}`);
  }
  return value;
}

/** A finite number. */
export function real(name: string, value: unknown, least: number, most: number): number {
  if (typeof value !== "number" || !Number.isFinite(value) || value < least || value > most) {
    throw wrong(name, value, `a finite number within ${least} and ${most}`);
  }
  return value;
}

export function truth(name: string, value: unknown): boolean {
  if (typeof value !== "boolean") {
    throw wrong(name, value, "true or false");
  }
  return value;
}

/** One that may be left out. */
export function callback(name: string, value: unknown): void {
  if (value !== undefined && typeof value !== "function") {
    throw wrong(name, value, "a function");
  }
}

export function text(name: string, value: unknown): string {
  if (typeof value !== "string" || value.includes("\0")) {
    throw wrong(name, value, "a string without a character 0");
  }
  return value;
}

/** A name of a world or an agent. */
export function called(name: string, value: unknown): string {
  if (typeof value !== "string" || !/^[A-Za-z0-9_.-]{1,32}$/.test(value)) {
    throw wrong(name, value, "1 to 32 characters of A-Z a-z 0-9 _ . -");
  }
  return value;
}

export function choice<T extends string>(name: string, value: unknown, words: readonly T[]): T {
  if (!words.includes(value as T)) {
    throw wrong(name, value, `one of ${words.map((word) => JSON.stringify(word)).join(", ")}`);
  }
  return value as T;
}

/** Options by name: one that is not known is refused, as it may be a slip. */
export function options<T extends object>(name: string, value: unknown, known: readonly string[]): Partial<T> {
  if (value === null || typeof value !== "object" || Array.isArray(value)) {
    throw wrong(name, value, "an object");
  }
  for (const key of Object.keys(value)) {
    if (!known.includes(key)) {
      throw invalid(`${name}.${key}`, `is no option; there are ${known.join(", ")}`);
    }
  }
  return value;
}

export function list(name: string, value: unknown, least = 0, most = WORD_MAX): ArrayLike<unknown> {
  if (!Array.isArray(value) && !(ArrayBuffer.isView(value) && "length" in value)) {
    throw wrong(name, value, "an array");
  }
  const found = value as ArrayLike<unknown>;
  if (found.length < least || found.length > most) {
    throw invalid(name, `has ${found.length} entries, it must have ${least} to ${most}`);
  }
  return found;
}

/** Bytes, whatever holds them; a copy unless it is a buffer. */
export function octets(name: string, value: unknown): Uint8Array {
  if (value instanceof Uint8Array) {
    return value;
  }
  if (value instanceof ArrayBuffer) {
    return new Uint8Array(value);
  }
  if (ArrayBuffer.isView(value) && (value as unknown as { BYTES_PER_ELEMENT?: number }).BYTES_PER_ELEMENT === 1) {
    return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  }
  return Uint8Array.from(list(name, value, 0, CELLS_MAX), (byte, i) => whole(`${name}[${i}]`, byte, 0, 255));
}

/** So many bytes. */
export function octetsOf(name: string, value: unknown, count: number): Uint8Array {
  const bytes = octets(name, value);
  if (bytes.length !== count) {
    throw invalid(name, `has ${bytes.length} bytes, it must have ${count}`);
  }
  return bytes;
}

/** A point [x, y] in metres. */
export function point(name: string, value: unknown): Point {
  const pair = list(name, value);
  if (pair.length !== 2) {
    throw invalid(name, `has ${pair.length} entries, it must be [x, y]`);
  }
  return [coordinate(`${name}[0]`, pair[0]), coordinate(`${name}[1]`, pair[1])];
}

/** Metres. */
export function coordinate(name: string, value: unknown): number {
  return real(name, value, -COORDINATE_MAX, COORDINATE_MAX);
}

export function points(name: string, value: unknown, least = 0, most = WORD_MAX): Point[] {
  return Array.from(list(name, value, least, most), (entry, i) => point(`${name}[${i}]`, entry));
}

/** Cells as y * width + x. */
export function cells(name: string, value: unknown, width: number, height: number): number[] {
  return Array.from(list(name, value), (entry, i) => {
    const pair = list(`${name}[${i}]`, entry);
    if (pair.length !== 2) {
      throw invalid(`${name}[${i}]`, `has ${pair.length} entries, it must be [x, y]`);
    }
    const x = whole(`${name}[${i}][0]`, pair[0], 0, width - 1);
    const y = whole(`${name}[${i}][1]`, pair[1], 0, height - 1);
    return y * width + x;
  });
}

export function names(name: string, value: unknown): string[] {
  return Array.from(list(name, typeof value === "string" ? [value] : value), (entry, i) => called(`${name}[${i}]`, entry));
}

export interface Grid {
  width: number;
  height: number;
  data: Uint8Array | null;
  fill: number | null;
}

/** Sides and bytes of a grid, which is told as a matrix, or as width and height and perhaps data or fill. */
export function grid(name: string, value: { matrix?: unknown; width?: unknown; height?: unknown; data?: unknown; fill?: unknown }): Grid {
  if (value.matrix !== undefined) {
    return matrix(`${name}.matrix`, value.matrix);
  }
  const width = whole(`${name}.width`, value.width, 1, SIDE_MAX);
  const height = whole(`${name}.height`, value.height, 1, SIDE_MAX);
  if (value.data != null && value.fill != null) {
    throw invalid(`${name}.fill`, "excludes data, there is one of the two");
  }
  count(name, width, height);
  return {
    width,
    height,
    data: value.data == null ? null : octetsOf(`${name}.data`, value.data, width * height),
    fill: value.fill == null ? null : whole(`${name}.fill`, value.fill, 0, 255),
  };
}

function count(name: string, width: number, height: number): void {
  if (width * height > CELLS_MAX) {
    throw new ReplanError("LIMIT", `${name} has ${width * height} cells, it may have ${CELLS_MAX}`, name);
  }
}

/** Rows of bytes: matrix[y][x]. */
function matrix(name: string, value: unknown): Grid {
  const rows = list(name, value, 1, SIDE_MAX);
  const height = rows.length;
  const width = list(`${name}[0]`, rows[0], 1, SIDE_MAX).length;
  count(name, width, height);
  const data = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    const row = list(`${name}[${y}]`, rows[y]);
    if (row.length !== width) {
      throw invalid(`${name}[${y}]`, `has ${row.length} cells, it must have ${width} as the first row`);
    }
    for (let x = 0; x < width; x++) {
      data[y * width + x] = whole(`${name}[${y}][${x}]`, row[x], 0, 255);
    }
  }
  return { width, height, data, fill: null };
}
