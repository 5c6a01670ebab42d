// The module: its memory, and calls that may fail.
import { ReplanError, STATUSES } from "./errors.js";

const PAGE = 65536;

/** What the module begins with: --initial-memory of its CMakeLists.txt. */
export const MEMORY_LEAST = 64 * PAGE;
export const MEMORY_MOST = 65536 * PAGE;

/** The least module that uses SIMD: one function that makes a vector. */
const SIMD_PROBE = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0,
  253, 15, 253, 98, 11]);

/** Refuse an engine that cannot run the module. */
export function requireSimd() {
  if (typeof WebAssembly !== "object" || !WebAssembly.validate(SIMD_PROBE)) {
    throw new ReplanError("UNSUPPORTED", "this browser has no WebAssembly with SIMD, which replan-engine needs: "
      + "Chrome 91, Firefox 89, Safari 16.4 and Node 16.4 have it");
  }
}

/** Compile what comes out of the decompressor while it comes, where the browser can. */
export async function unpack(base64) {
  const letters = atob(base64);
  const packed = new Uint8Array(letters.length);
  for (let i = 0; i < packed.length; i++) { // Uint8Array.from() takes ten times as long
    packed[i] = letters.charCodeAt(i);
  }
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  const response = new Response(stream, { headers: { "Content-Type": "application/wasm" } });
  return WebAssembly.compileStreaming?.(response) ?? WebAssembly.compile(await response.arrayBuffer());
}

export class Module {
  #memory;
  #bytes;
  #view;
  #scratch;

  /** @param {WebAssembly.Module} compiled @param {number} [most] bytes that its memory may have */
  constructor(compiled, most) {
    this.most = most ?? MEMORY_MOST;
    const pages = { initial: MEMORY_LEAST / PAGE };
    this.#memory = new WebAssembly.Memory(most === undefined ? pages : { ...pages, maximum: Math.floor(most / PAGE) });
    const absent = () => 52; // ENOSYS: the module has the calls of a console, and never makes them
    const instance = new WebAssembly.Instance(compiled, {
      env: { memory: this.#memory },
      wasi_snapshot_preview1: { fd_close: absent, fd_seek: absent, fd_write: absent },
    });
    this.exports = instance.exports;
    this.exports._initialize();
    this.#scratch = this.exports.malloc(SCRATCH_BYTES) >>> 0;
  }

  /** Bytes of its memory. A view is void when the memory grows, so take it anew after each call. */
  get bytes() {
    if (this.#bytes?.buffer !== this.#memory.buffer) {
      this.#bytes = new Uint8Array(this.#memory.buffer);
      this.#view = new DataView(this.#memory.buffer);
    }
    return this.#bytes;
  }

  get memoryBytes() {
    return this.#memory.buffer.byteLength;
  }

  /** A block of SCRATCH_BYTES for what a call writes; it stands until the next call. */
  get scratch() {
    return this.#scratch;
  }

  doubles(place, count) {
    return new Float64Array(this.#memory.buffer, place, count);
  }

  words(place, count) {
    return new Uint32Array(this.#memory.buffer, place, count);
  }

  integers(place, count) {
    return new Int32Array(this.#memory.buffer, place, count);
  }

  word(place) {
    void this.bytes;
    return this.#view.getUint32(place, true);
  }

  /** The string at a place; "" at 0. */
  string(place) {
    const bytes = this.bytes;
    return place === 0 ? "" : decoder.decode(bytes.subarray(place, bytes.indexOf(0, place)));
  }

  /** Memory for so many bytes, which its caller frees. */
  allocate(count) {
    const place = this.exports.malloc(Math.max(count, 1)) >>> 0;
    if (place === 0) {
      throw this.shortage(`for ${count} bytes more`);
    }
    return place;
  }

  free(place) {
    this.exports.free(place);
  }

  shortage(what) {
    return new ReplanError("MEMORY", `no memory ${what}: the module holds ${this.memoryBytes} bytes, it may hold ${this.most} `
      + "(load({ maxMemoryBytes }), and what the browser gives); close worlds or planners");
  }

  /**
   * Lend arguments for one call: `put` copies them into the module, and they are freed at the end.
   * @template T @param {(put: Loan) => T} use @returns {T}
   */
  lend(use) {
    const loan = new Loan(this);
    try {
      return use(loan);
    } finally {
      loan.end();
    }
  }

  /** Refuse what a call refused. @param {string | ((status: string) => string)} what sentence, without a reason */
  check(status, what) {
    if (status >= 0) {
      return status;
    }
    const word = STATUSES[status] ?? "INVALID";
    if (word === "MEMORY") {
      throw this.shortage(`to ${what}`);
    }
    throw new ReplanError(word, `cannot ${what}: ${this.string(this.exports.status_text(status) >>> 0)}`);
  }
}

/** Enough for what any call writes by a pointer. */
export const SCRATCH_BYTES = 1024;

const decoder = new TextDecoder();
const encoder = new TextEncoder();

/** Copies of arguments in the module's memory. Each method gives a place; null and undefined are 0. */
class Loan {
  #module;
  #places = [];

  constructor(module) {
    this.#module = module;
  }

  bytes(value) {
    if (value == null) {
      return 0;
    }
    const place = this.room(value.byteLength);
    this.#module.bytes.set(new Uint8Array(value.buffer, value.byteOffset, value.byteLength), place);
    return place;
  }

  doubles(values) {
    return this.bytes(Float64Array.from(values, Number));
  }

  words(values) {
    return this.bytes(values == null || values instanceof Uint32Array ? values : Uint32Array.from(values));
  }

  string(value) {
    return value == null ? 0 : this.bytes(encoder.encode(`${value}\0`));
  }

  /** Room for what the call writes. */
  room(count) {
    const place = this.#module.allocate(count);
    this.#places.push(place);
    return place;
  }

  end() {
    this.#places.forEach((place) => this.#module.free(place));
  }
}
