// The package of the page: the same, and what searches did, cell by cell (module/trace.h).
import { Agent, Answer, Planner, Replan, ReplanError, World, car, region, target, waypoints } from "./index.js";
import { Module, requireSimd, unpack } from "./module.js";
import { WASM } from "./wasm.js";

/** What happened to a cell, by what stands above it: enum rp_trace_kind. */
const TRACE = { EXPANDED: 0, REUSED: 1, RAISED: 2, LEVEL: 3 };
/** In place of a cell: the next level begins. */
const TRACE_LEVEL = 0xfffffff;

class Traced extends Replan {
  #module;

  constructor(module) {
    super(module);
    this.#module = module;
  }

  /**
   * Do something and hear what searches did meanwhile, in worlds of one width.
   * @param wantsReused  hear of cells that are reused, too, which takes a look at every cell for each plan
   * @returns what `act` does, and words: a cell y * width + x, and above it, from bit 28 on, one of TRACE
   */
  trace(width, wantsReused, act) {
    const { exports } = this.#module;
    let count = 0;
    let done;
    exports.trace_begin(wantsReused);
    try {
      done = act();
    } finally {
      count = exports.trace_end();
    }
    const place = count === 0 ? 0 : exports.trace_told(width) >>> 0;
    return { done, words: count === 0 ? new Uint32Array(0) : this.#module.words(place, count).slice() };
  }
}

/** @param {{ wasm?: WebAssembly.Module, maxMemoryBytes?: number }} [options]  `wasm` in place of the one that this file holds */
async function load({ wasm, maxMemoryBytes } = {}) {
  requireSimd();
  return new Traced(new Module(wasm ?? await unpack(WASM), maxMemoryBytes));
}

export { Agent, Answer, Planner, ReplanError, TRACE, TRACE_LEVEL, World, car, load, region, target, waypoints };
