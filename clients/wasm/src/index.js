// replan-engine: incremental planners in a page or in Node, without a server.
import * as check from "./arguments.js";
import { ReplanError } from "./errors.js";
import { facing, region, target, waypoints } from "./goals.js";
import { mapPicture, readMap, writeMap } from "./maps.js";
import { MEMORY_LEAST, MEMORY_MOST, Module, requireSimd, unpack } from "./module.js";
import { Motion, car, omni, spot } from "./motion.js";
import { Planner, findPath } from "./planner.js";
import { StagedChange } from "./staged.js";
import { World } from "./world.js";
import { Agent } from "./agent.js";
import { Answer } from "./answer.js";
import { WASM } from "./wasm.js";

/** Names of enum rp_capability, by bit. */
const CAPABILITIES = { 0: "native_dearer", 1: "native_cheaper", 2: "native_start", 3: "native_goal", 4: "native_no_path",
  5: "goal_set", 6: "4", 7: "8", 8: "weighted", 9: "wrap" };

/** A module that is loaded, with a memory of its own. Get one by load() or loadSync(). */
export class Replan {
  #module;

  constructor(module) {
    this.#module = module;
    this.findPath = (matrix, from, to, options) => findPath(module, matrix, from, to, options);
    this.createPlanner = (options) => new Planner(module, options);
    this.createWorld = (options) => new World(module, options);
    this.readMap = (bytes, name, picture) => readMap(module, bytes, name, picture);
    this.writeMap = (map, name) => writeMap(module, map, name);
    this.mapPicture = (bytes) => mapPicture(module, bytes);
    this.planners = Object.freeze(plannersOf(module));
  }

  /** Bytes of its WebAssembly memory, which grows and never shrinks. */
  get memoryBytes() {
    return this.#module.memoryBytes;
  }

  /** Those of them that are in use. */
  get heapBytes() {
    return this.#module.exports.heap_bytes();
  }
}

function plannersOf(module) {
  const planners = [];
  for (let i = 0; module.exports.planner_info(i, module.scratch) !== 0; i++) {
    const [id, paper, guarantee, bits, bytesPerCell] = module.doubles(module.scratch, 5);
    planners.push(Object.freeze({
      id: module.string(id), paper: module.string(paper), guarantee: module.string(guarantee), bytesPerCell,
      capabilities: Object.keys(CAPABILITIES).filter((bit) => ((bits >> bit) & 1) !== 0).map((bit) => CAPABILITIES[bit]),
    }));
  }
  return planners;
}

let embedded; // the module of this package, compiled

function limitOf(options) {
  check.options("options", options, ["wasm", "maxMemoryBytes"]);
  return options.maxMemoryBytes === undefined ? undefined
    : check.whole("options.maxMemoryBytes", options.maxMemoryBytes, MEMORY_LEAST, MEMORY_MOST);
}

/**
 * Load the module that this file holds. Nothing is fetched.
 * @param {{ wasm?: WebAssembly.Module | BufferSource, maxMemoryBytes?: number }} [options]
 */
export async function load(options = {}) {
  const most = limitOf(options);
  requireSimd();
  if (options.wasm !== undefined) {
    return loadSync(options.wasm, { maxMemoryBytes: options.maxMemoryBytes });
  }
  embedded ??= unpack(WASM);
  return new Replan(new Module(await embedded, most));
}

/** The same from the bytes of replan.wasm, or a module that was compiled already, at once. */
export function loadSync(wasm, options = {}) {
  const most = limitOf(options);
  requireSimd();
  if (!(wasm instanceof WebAssembly.Module) && !(wasm instanceof ArrayBuffer) && !ArrayBuffer.isView(wasm)) {
    throw check.wrong("wasm", wasm, "the bytes of replan.wasm");
  }
  let compiled;
  try {
    compiled = wasm instanceof WebAssembly.Module ? wasm : new WebAssembly.Module(wasm);
  } catch (error) {
    throw check.invalid("wasm", `is not replan.wasm: ${error.message}`);
  }
  return new Replan(new Module(compiled, most));
}

for (const { prototype } of [World, Planner, Agent, StagedChange]) {
  if (Symbol.dispose !== undefined) {
    Object.defineProperty(prototype, Symbol.dispose, { value: prototype.close, writable: true, configurable: true });
  }
}

export { Agent, Answer, Motion, Planner, ReplanError, StagedChange, World, car, facing, omni, region, spot, target, waypoints };
