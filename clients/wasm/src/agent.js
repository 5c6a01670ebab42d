// Agents of a world.
import { ANSWER_OUTCOMES, REASONS } from "./answer.js";
import * as check from "./arguments.js";
import { ReplanError } from "./errors.js";
import { GOAL_OPTIONS, aimNumbers, goalOf, goalOptions, places } from "./goals.js";
import { motionNumbers } from "./motion.js";

const PAST_MAX = 8; // RP_PAST_MAX
const MS_MAX = 0xffffffff;
const REACH_MAX = 64; // RP_REACH_MAX

export const AGENT_OPTIONS = ["start", "goal", ...GOAL_OPTIONS, "planner", "profile", "radius", "inscribedRadius",
  "inflationRadius", "costScalingFactor", "cells", "switchGainPercent", "minIntervalMs", "maxAgeMs", "answerWithinMs", "mayWait",
  "immediateStart", "followRadius", "escape", "motion", "footprint", "padding"];

/** The doubles of agent_open(). @param resolution metres a cell */
export function agentNumbers(options, resolution) {
  const length = (name) => check.real(`options.${name}`, options[name] ?? 0, 0);
  const ms = (name) => check.whole(`options.${name}`, options[name] ?? 0, 0, MS_MAX);
  const flag = (name) => Number(check.truth(`options.${name}`, options[name] ?? false));
  const cells = check.whole("options.cells", options.cells ?? 0, 0, REACH_MAX);
  if (cells !== 0 && (length("radius") !== 0 || length("inflationRadius") !== 0)) {
    throw check.invalid("options.cells", `is ${cells}, then radius and inflationRadius must be 0`);
  }
  return [
    length("radius"), length("inscribedRadius"), length("inflationRadius"), length("costScalingFactor"), 0,
    check.whole("options.switchGainPercent", options.switchGainPercent ?? 0, 0, 100), ms("minIntervalMs"), ms("maxAgeMs"),
    ms("answerWithinMs"), flag("mayWait"), flag("immediateStart"), length("followRadius"), length("escape"), cells,
    ...motionNumbers(options, resolution),
  ];
}

export class Agent {
  #module;
  #id;

  /** Use World.openAgent(). */
  constructor(module, world, id) {
    this.#module = module;
    this.world = world;
    this.#id = id;
  }

  /** Its handle, which no other agent of its world ever gets; 0 when it is closed. */
  get id() {
    return this.#id;
  }

  /** Set another goal. */
  goto(goal, options = {}) {
    const self = this.#open();
    check.options("options", options, GOAL_OPTIONS);
    const wanted = goalOf("goal", goal);
    const chased = wanted.kind === "target" ? this.#idOf(wanted.agent) : 0;
    this.aim(self, wanted, aimNumbers(wanted, chased, goalOptions("options", options)));
  }

  /** For World: the call behind a goal. */
  aim(world, goal, numbers) {
    this.#module.lend((put) => this.#module.check(this.#module.exports.agent_aim(world, this.#id, put.doubles(numbers),
      put.doubles([...places(goal.points), ...goal.yaws]), goal.points.length), `set the goal (${goal.kind})`));
  }

  /** Tell where the agent is, in metres. `poseSeq`: greater is newer; 0: unnumbered. `yaw`: of one with motion; without it the last. */
  pose(x, y, poseSeq = 0, yaw = undefined) {
    const self = this.#open();
    check.real("x", x);
    check.real("y", y);
    check.whole("poseSeq", poseSeq, 0, Number.MAX_SAFE_INTEGER);
    const heads = yaw === undefined ? NaN : check.real("yaw", yaw);
    this.#module.check(this.#module.exports.agent_pose(self, this.#id, x, y, heads, poseSeq), "tell the pose");
  }

  /** The newest answer if it is true for the newest version, pose and goal; else null: step() the world. */
  answer() {
    return this.world.answerOf(this, this.#open());
  }

  /** The newest answers and what made each new, newest first. */
  why() {
    const self = this.#open();
    const { exports, scratch } = this.#module;
    const count = exports.agent_past(self, this.#id, scratch);
    const told = this.#module.doubles(scratch, PAST_MAX * 8);
    return Array.from({ length: count }, (_, i) => {
      const [pathSeq, sureUntil, version, publishedUs, outcome, reason, cost, expansions] = told.subarray(8 * i, 8 * i + 8);
      const hasPath = ["found", "partial", "arrived"].includes(ANSWER_OUTCOMES[outcome]);
      return {
        pathSeq, sureUntil, version, outcome: ANSWER_OUTCOMES[outcome], reason: REASONS[reason], cost: hasPath ? cost : null,
        expansions, publishedMs: publishedUs / 1000,
      };
    });
  }

  /**
   * May it walk this path now? Cells [x, y] as in Answer.path. @param way cells out of a blocked one to path[0], as in Answer.way
   * @returns {{ version: number, legal: boolean, cost: number | null, offending: number[], offendingWay: number[] }}
   *   cost: of the path, in cell lengths; offending: numbers of the steps that are not legal, step i leads to cell i + 1
   */
  valid(path, way = []) {
    const self = this.#open();
    const { world } = this;
    check.list("path", path, 1);
    const cells = [path, way].map((list, i) => Array.from(check.list(["path", "way"][i], list),
      (entry, j) => check.cell(`${["path", "way"][i]}[${j}]`, entry, world.width, world.height)));
    return this.#module.lend((put) => {
      const { exports, scratch } = this.#module;
      const offenders = put.room(4 * (path.length + way.length));
      this.#module.check(exports.agent_walk(self, this.#id, put.words(cells[0].flat()), path.length, put.words(cells[1].flat()), way.length,
        scratch, offenders), "check a path: each cell must be a neighbour of the one before it");
      const [cost, count, wayCount] = this.#module.doubles(scratch, 3);
      return {
        version: world.version, legal: cost >= 0 && count === 0 && wayCount === 0, cost: cost < 0 ? null : cost,
        offending: [...this.#module.words(offenders, count)], offendingWay: [...this.#module.words(offenders + 4 * path.length, wayCount)],
      };
    });
  }

  /** What its planner sees, row by row: 0 blocks, else the factor of a move's cost; profile and inflation are taken in. */
  factors() {
    const self = this.#open();
    const count = this.world.width * this.world.height;
    return this.#module.lend((put) => {
      const place = put.room(count);
      this.#module.check(this.#module.exports.agent_factors(self, this.#id, place), "tell the factors");
      return this.#module.bytes.slice(place, place + count);
    });
  }

  /** Close the agent. Closing twice is fine. */
  close() {
    if (this.#id !== 0) {
      this.world.forget(this);
      this.#id = 0;
    }
  }

  #idOf(agent) {
    if (!(agent instanceof Agent) || agent.world !== this.world || agent.id === 0) {
      throw check.wrong("goal", agent, "the target of another agent of this world that is open");
    }
    return agent.id;
  }

  #open() {
    if (this.#id === 0) {
      throw new ReplanError("CLOSED", "the agent is closed");
    }
    return this.world.open();
  }
}
