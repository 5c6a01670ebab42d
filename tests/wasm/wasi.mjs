// Runs a program of the WebAssembly build: node wasi.mjs FILE.wasm ARGUMENTS...
// It has a console, a clock and arguments. Node's own WASI collects garbage inside calls, and crashes, in Node 20.
import { readFileSync, writeSync } from "node:fs";

const [, , file, ...rest] = process.argv;
const words = [file, ...rest].map((word) => Buffer.from(`${word}\0`));
const NOT_SUPPORTED = 58;
let memory;
const view = () => new DataView(memory.buffer);

class Exit {
  constructor(code) {
    this.code = code;
  }
}

const calls = {
  args_sizes_get(count, size) {
    view().setUint32(count, words.length, true);
    view().setUint32(size, Buffer.concat(words).length, true);
    return 0;
  },
  args_get(list, text) {
    for (const [i, word] of words.entries()) {
      view().setUint32(list + 4 * i, text, true);
      new Uint8Array(memory.buffer).set(word, text);
      text += word.length;
    }
    return 0;
  },
  clock_time_get(clock, precision, time) {
    view().setBigUint64(time, process.hrtime.bigint(), true);
    return 0;
  },
  fd_fdstat_get(fd, status) {
    new Uint8Array(memory.buffer, status, 24).fill(0);
    view().setUint8(status, 2); // a character device: lines are written as they end
    return 0;
  },
  fd_write(fd, list, count, written) {
    let size = 0;
    for (let i = 0; i < count; i++) {
      const length = view().getUint32(list + 8 * i + 4, true);
      writeSync(fd, new Uint8Array(memory.buffer, view().getUint32(list + 8 * i, true), length));
      size += length;
    }
    view().setUint32(written, size, true);
    return 0;
  },
  proc_exit(code) {
    throw new Exit(code);
  },
};

const module = new WebAssembly.Module(readFileSync(file));
const imports = Object.fromEntries(WebAssembly.Module.imports(module).map(({ name }) => [name, calls[name] ?? (() => NOT_SUPPORTED)]));
const { exports } = new WebAssembly.Instance(module, { wasi_snapshot_preview1: imports });
({ memory } = exports);
try {
  exports._start();
} catch (error) {
  if (!(error instanceof Exit)) {
    throw error;
  }
  process.exitCode = error.code;
}
