/** A cell [x, y], or a point [x, y] in metres. */
export type Point = [number, number];

/** Where an agent may go: a point, the cheapest of several, or what waypoints(), region() and target() make. */
export type GoalLike = Point | Point[] | Goal;

export interface Goal {
  readonly kind: "points" | "waypoints" | "region" | "target";
}

export type Status = "INVALID" | "UNKNOWN" | "EXISTS" | "LIMIT" | "UNSUPPORTED" | "MEMORY" | "CLOSED";

/** A refusal. */
export class ReplanError extends Error {
  constructor(status: Status, sentence: string, argument?: string);
  readonly status: Status;
  /** What is wrong, and the limit. */
  readonly sentence: string;
  /** Name of the argument, as `matrix[3][1]`. */
  readonly argument?: string;
}

export interface LoadOptions {
  /** Bytes that the module's memory may have, 4 MiB to 4 GiB; without it: what the browser gives. */
  maxMemoryBytes?: number;
}

/** Load the module that the package holds. Nothing is fetched. `wasm`: another one, its bytes or compiled. */
export function load(options?: LoadOptions & { wasm?: WebAssembly.Module | BufferSource }): Promise<Replan>;

/** The same at once, from the bytes of `replan-engine/replan.wasm`. */
export function loadSync(wasm: WebAssembly.Module | BufferSource, options?: LoadOptions): Replan;

/** All of these points, in order. `first`: number of the one to begin with. `yaws`: to pass them with, of agents with motion. */
export function waypoints(points: Point[], first?: number, yaws?: number | number[], options?: FacingOptions): Goal;
/** This point, or the cheapest of several, to arrive with a yaw, one for all or one each: radians, of agents with motion. */
export function facing(place: Point | Point[], yaw: number | number[], options?: FacingOptions): Goal;
/** Anywhere in the rectangle along the grid between two corners. */
export function region(corner: Point, opposite: Point): Goal;
/** Wherever another agent of the same world is. */
export function target(agent: Agent): Goal;

export interface FacingOptions {
  /** Or the other way round. */
  eitherWay?: boolean;
  /** Radians: any heading of the lattice this near to it will do. */
  tolerance?: number;
}

/** What car(), spot() and omni() make. */
export class Motion {
  private constructor();
}

export interface MotionOptions {
  /** Of the lattice that is searched: 8, 16, 32 or 64; 16. */
  headings?: number;
  /** Where they find no path, twice as many are tried, up to so many; 64. */
  headingsMost?: number;
  /** The first curve may cost so much more than the best, which is looked for after it; 10. */
  boundPercent?: number;
  /** A new curve shares so many metres of the old one ahead of the agent, unless they are cut; one turning radius. */
  hold?: number;
  /** Radians that the agent may be turned from its curve and still follow it; 0.35. */
  followYaw?: number;
  /** Backwards, too; false. */
  reverse?: boolean;
  /** A metre backwards costs as much as so many forwards. */
  reverseFactor?: number;
  /** A change of gear costs as much as so many metres. */
  gearChange?: number;
}

/** For openAgent({ motion }): forwards, on arcs of this radius in metres, and on lines. */
export function car(turningRadius: number, options?: MotionOptions): Motion;
/** The same, and it turns in place; `turn`: a radian turned costs as much as so many metres. */
export function spot(turningRadius?: number, options?: MotionOptions & { turn?: number }): Motion;
/** On lines in any direction, whatever its yaw, and turns in place; it has no gears. */
export function omni(options?: Omit<MotionOptions, "reverse" | "reverseFactor" | "gearChange"> & { turn?: number }): Motion;

/** A module that is loaded, with a memory of its own. */
export class Replan {
  private constructor();
  readonly planners: readonly PlannerInfo[];
  /** Bytes of its WebAssembly memory, which grows and never shrinks. */
  readonly memoryBytes: number;
  /** Those of them that are in use: what worlds, agents and planners hold, reserves included. */
  readonly heapBytes: number;
  /** A cheapest path between two cells of a matrix[y][x]: 0 blocks, 1 is normal ground, 2 to 254 are dearer. */
  findPath(matrix: Matrix, from: Point, to: Point, options?: PathOptions): Plan;
  createPlanner(options: PlannerOptions): Planner;
  createWorld(options: WorldOptions): World;
  /** Read a MovingAI .map, PNG, PGM, rows of . and #, or a map_server's YAML with its picture. */
  readMap(bytes: Bytes, name?: string, picture?: Bytes | null): WorldMap;
  /** Name of the picture that a YAML needs; null: the bytes are a map by themselves. */
  mapPicture(bytes: Bytes): string | null;
  /** Files by name. The suffix chooses the format: .map, .png, .pgm; .yaml makes a .pgm beside it; else the bytes. */
  writeMap(map: GridOptions & Partial<Frame> & { profile?: GridProfile }, name: string): Record<string, Uint8Array>;
}

export type Bytes = Uint8Array | ArrayBuffer | ArrayLike<number>;
export type Matrix = ArrayLike<ArrayLike<number>>;
export type GridProfile = "factor" | "costmap";

export interface PlannerInfo {
  readonly id: string;
  readonly paper: string;
  readonly guarantee: string;
  readonly bytesPerCell: number;
  readonly capabilities: readonly string[];
}

export interface Frame {
  /** Metres a cell; 1. */
  resolution: number;
  /** x, y, yaw of the corner of cell (0, 0); all 0. */
  origin: [number, number, number?];
}

export interface WorldMap {
  width: number;
  height: number;
  data: Uint8Array;
  profile: GridProfile;
  resolution: number;
  origin: [number, number, number];
}

/** A matrix, or sides with the bytes row by row, or with one byte for all (normal ground). */
export interface GridOptions {
  matrix?: Matrix;
  width?: number;
  height?: number;
  data?: Bytes;
  fill?: number;
}

export interface PathOptions {
  /** 8 (without cutting corners), or 4. */
  neighbors?: 4 | 8;
  /** A torus. */
  wraps?: boolean;
  /** What a byte means. */
  profile?: GridProfile;
  /** Id of a planner; "auto". */
  planner?: string;
}

export interface PlannerOptions extends GridOptions, PathOptions {}

/** One planner on one grid. */
export class Planner {
  private constructor();
  readonly id: string;
  readonly width: number;
  readonly height: number;
  readonly neighbors: 4 | 8;
  readonly wraps: boolean;
  readonly profile: GridProfile;
  setStart(start: Point): void;
  setGoal(goal: Point): void;
  /** The cheapest of these counts; the third number is what it costs to stop there. */
  setGoals(goals: (Point | [number, number, number])[]): void;
  setCell(x: number, y: number, byte: number): void;
  /** `byte`: one for all cells, or one each. */
  setCells(cells: Point[], byte: number | Bytes): void;
  fillRect(x: number, y: number, width: number, height: number, byte: number): void;
  writeRect(x: number, y: number, width: number, height: number, data: Bytes): void;
  plan(): Plan;
  /** null: the budget of expansions was spent first. Call again. */
  plan(budget: number): Plan | null;
  /** Work ahead; true when there is more to do. */
  idle(budget: number): boolean;
  close(): void;
  [Symbol.dispose](): void;
}

export interface Plan {
  readonly outcome: "found" | "no_path" | "start_blocked" | "goal_blocked";
  /** In cell lengths on normal ground; null without a path. */
  readonly cost: number | null;
  /** Cells from start to goal; empty without a path. */
  readonly path: Point[];
  /** The same as x0, y0, x1, y1, .. */
  readonly cells: Uint32Array;
  readonly expanded: number;
  readonly generated: number;
  readonly restarts: number;
  /** Of search state. */
  readonly bytes: number;
  /** Who searched; with "auto" the planner that it chose, and why. */
  readonly planner: string;
  readonly why: string;
}

export interface Profile {
  name: string;
  /** By byte: 0 blocks, else the factor of a move's cost [256]. Without them those of `like`. */
  factors?: Bytes;
  /** Factor of normal ground; 1. */
  unit?: number;
  like?: GridProfile;
  /** What byte 255 counts as: "free" (the default), "blocked", or a factor. */
  unknown?: "free" | "blocked" | number;
  /** Bytes that block without being an obstacle: an agent there finds a way out. */
  inscribed?: Bytes;
}

export interface WorldOptions extends GridOptions, Partial<Frame> {
  neighbors?: 4 | 8;
  wraps?: boolean;
  /** "factor" (the default), "costmap", or one of `profiles`. */
  profile?: string;
  profiles?: Profile[];
}

export interface GoalOptions {
  /** Metres: any cell whose middle is this near to a point will do. */
  tolerance?: number;
  /** When the goal cannot be reached: go to the nearest cell that can. */
  nearest?: boolean;
  /** A number of yours, echoed in answers. */
  goalId?: number;
}

export interface AgentOptions extends GoalOptions {
  /** Metres of the frame, with motion a yaw, too; pose() later will do. */
  start?: Point | Pose;
  /** goto() later will do. */
  goal?: GoalLike;
  planner?: string;
  profile?: string;
  /** Metres: cells whose middle is this near to that of a blocked cell block. */
  radius?: number;
  /** Inflation as in ROS costmap_2d. */
  inscribedRadius?: number;
  inflationRadius?: number;
  costScalingFactor?: number;
  /** Instead of radii, a square body of so many cells each way, up to 64; the agent's cell is its lowest x and y. */
  cells?: number;
  /** A valid path gives way to one that is cheaper by this; 0: to every cheaper one. */
  switchGainPercent?: number;
  minIntervalMs?: number;
  maxAgeMs?: number;
  answerWithinMs?: number;
  mayWait?: boolean;
  immediateStart?: boolean;
  followRadius?: number;
  escape?: number;
  /** Its path is to be a curve that it can drive, with a disc of this radius as body, or a footprint: what car(), spot() and omni() make. */
  motion?: Motion;
  /** With motion: corners of the body, 3 to 16, in its frame: x ahead, y left. */
  footprint?: Point[];
  /** Moves each corner away from both axes, as Nav2 does. */
  padding?: number;
}

export interface Shape {
  number: number;
  /** One point for a disc, 3 to 64 corners of a polygon; metres. */
  points: Point[];
  radius?: number;
  byte: number;
  /** Remove it after so long; 0: never. */
  ttlMs?: number;
}

export type Change =
  | { x: number; y: number; width: number; height: number; byte: number }
  | { x: number; y: number; width: number; height: number; data: Bytes }
  | { cells: Point[]; byte: number | Bytes };

export interface Rect {
  x: number;
  y: number;
  width: number;
  height: number;
  data: Bytes;
}

/** Whether a path may be walked now. */
export interface Valid {
  version: number;
  legal: boolean;
  /** In cell lengths on normal ground; null when it is not legal. */
  cost: number | null;
  /** Numbers of the steps that are not legal; step i leads to cell i + 1. None, and not legal: the path's start is blocked. */
  offending: number[];
  /** The same of the way; as many as it has steps: it leads elsewhere. */
  offendingWay: number[];
}

export interface Field {
  version: number;
  x: number;
  y: number;
  width: number;
  height: number;
  /** Row by row; null: no path. */
  costs: (number | null)[];
  /** Directions: 0 = +x, 1 = +x+y, 2 = +y, ..; null at a goal and without a path. */
  steps: (number | null)[];
}

/** A world that changes, and agents whose paths are kept true. Each change makes its next version. */
export class World {
  private constructor();
  readonly width: number;
  readonly height: number;
  readonly neighbors: 4 | 8;
  readonly wraps: boolean;
  readonly resolution: number;
  readonly origin: [number, number, number];
  readonly version: number;
  /** The version up to which the newest answer of every agent is true. */
  readonly settled: number;
  readonly window: number;
  readonly agents: Agent[];
  /** The last step() left work behind. */
  readonly hasWork: boolean;
  /** A copy of the bytes, shapes included. */
  snapshot(): Uint8Array;
  setCell(x: number, y: number, byte: number): void;
  setCells(cells: Point[], byte: number | Bytes): void;
  fillRect(x: number, y: number, width: number, height: number, byte: number): void;
  writeRect(x: number, y: number, width: number, height: number, data: Bytes): void;
  /** Prepare fillRect() or writeRect() in slices; nothing changes before apply(). Another change makes it void: then apply() takes its time. */
  stage(change: Exclude<Change, { cells: Point[] }>): StagedChange;
  putDisc(number: number, x: number, y: number, radius: number, byte: number, options?: { ttlMs?: number }): void;
  putPolygon(number: number, points: Point[], byte: number, options?: { ttlMs?: number }): void;
  removeShapes(numbers?: number[] | null): void;
  overlay(shapes: { put?: Shape[]; remove?: number[]; clear?: boolean }): void;
  /** Another rectangle of the plane. `rects`: bytes of it, written in the same version; then each new cell lies in one, or `fill` is given. */
  resize(options: { x?: number; y?: number; width?: number; height?: number; origin?: Point; fill?: number; rects?: Rect[] }): void;
  openAgent(options: AgentOptions): Agent;
  /** One point for all, or one each, near the others: they share one search. */
  order(agents: Agent[], place: Point | Point[], options?: GoalOptions): void;
  /** Plan, and tell what is new. `budget`: expansions. `nowMs`: your clock, for policies and shapes that expire. */
  step(budget?: number, nowMs?: number): Answer[];
  idle(budget: number): boolean;
  /** Bytes of this world. `search`: of arrays that grow as a search needs them what was used; Replan.heapBytes counts them whole. */
  memory(): { ground: number; sessions: number; search: number };
  costs(sources: Point[], targets: Point[]): (number | null)[][];
  /** [before, after] a change that is not made: of each agent, then of each pair [from, to]. */
  probe(change: Change, agents?: Agent[], pairs?: [Point, Point][]): [number | null, number | null][];
  field(agent: Agent, reach: number): Field;
  close(): void;
  [Symbol.dispose](): void;
}

/** A large change that is prepared in slices, so that no frame has to wait for it. */
export class StagedChange {
  private constructor();
  /** Nothing is left to prepare, and the world has not changed since. */
  readonly isReady: boolean;
  /** Go on; `budget` in work that takes as long as so many expansions. True when there is more to do. */
  work(budget: number): boolean;
  /** Make the change, and close this: at once when it is ready. */
  apply(): void;
  close(): void;
  [Symbol.dispose](): void;
}

export class Agent {
  private constructor();
  readonly world: World;
  /** 0 when it is closed. */
  readonly id: number;
  goto(goal: GoalLike, options?: GoalOptions): void;
  /** `yaw`: of one with motion; without it the last. */
  pose(x: number, y: number, poseSeq?: number, yaw?: number): void;
  /** The newest answer if it is true for the newest version, pose and goal; else null. */
  answer(): Answer | null;
  /** The newest answers and what made each new, newest first. */
  why(): Said[];
  /** May it walk this path now? Cells as in Answer.path; `way`: cells out of a blocked one to path[0], as in Answer.way. */
  valid(path: Point[], way?: Point[]): Valid;
  /** What its planner sees, row by row: 0 blocks, else the factor of a move's cost; profile and inflation are taken in. */
  factors(): Uint8Array;
  close(): void;
  [Symbol.dispose](): void;
}

export type Outcome = "none" | "found" | "no_path" | "partial" | "start_blocked" | "goal_blocked" | "outside" | "target_lost" | "arrived";
export type Reason = "first" | "invalid" | "cheaper" | "aged" | "goal" | "off_path" | "reached";

/** Optimal for the version, start and goal that it names, unless `optimal` is false. */
export interface Answer {
  readonly agent: Agent;
  readonly outcome: Outcome;
  readonly reason: Reason;
  /** In cell lengths on normal ground; null without a path. */
  readonly cost: number | null;
  /** No path costs less. */
  readonly bound: number | null;
  readonly optimal: boolean;
  /** Cells, start first; empty without a path. */
  readonly path: Point[];
  /** Their middles in metres; on a torus they run on beyond the edge. */
  readonly points: Point[];
  /** Those points at which the path bends, its ends too. */
  readonly bends: Point[];
  /** Cells as x0, y0, x1, y1, ..; on a torus they run on beyond the edge. The cheapest to draw from. */
  readonly line: Int32Array;
  /** Cells out of a blocked one, path[0] last; or empty. */
  readonly way: Point[];
  readonly wayPoints: Point[];
  readonly version: number;
  readonly window: number;
  readonly pathSeq: number;
  readonly goalId: number;
  readonly poseSeq: number;
  readonly waypoint: number;
  readonly goalDistance: number;
  readonly escape: number;
  readonly validThrough: number;
  readonly planner: string;
  readonly expansions: number;
  /** The curve of an agent with motion, from where it is; of others empty. */
  readonly segments: readonly Segment[];
  /** Of these, the first ones: they lead out of obstacles. */
  readonly escapeSegments: number;
  /** So far along the curve the body comes into known cells only. */
  readonly validThroughM: number;
  /** The pose after so many metres along the curve, within its ends. */
  poseAt(distance: number): Pose;
}

/** x, y in metres and yaw in radians, from +x towards +y. */
export type Pose = [number, number, number];

/** A line, an arc, a turn in place or a sideways move, in metres and radians. */
export interface Segment {
  /** Where it begins. */
  readonly x: number;
  readonly y: number;
  readonly yaw: number;
  /** 1/m, above 0 to the left; 0: a line, or a turn in place. */
  readonly curvature: number;
  /** 0 of a turn in place; below 0: backwards. */
  readonly length: number;
  /** Above 0 to the left; of a turn in place. */
  readonly turn: number;
  /** From yaw to where a line moves; 0 unless it is a sideways move. */
  readonly course: number;
}

export interface Said {
  pathSeq: number;
  sureUntil: number;
  version: number;
  outcome: Outcome;
  reason: Reason;
  cost: number | null;
  expansions: number;
  publishedMs: number;
}
