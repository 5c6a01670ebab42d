// Planners side by side: each has the grid that the chosen unit's planner sees, and the same changes.
import { countsOf } from "./trace.js";

const MEAN_OVER = 60; // updates

/** Bytes of the package's profile of that name for factors as an agent's planner sees them. */
const bytesOf = (profile, factors) => (profile === "costmap"
  ? factors.map((factor) => (factor === 0 ? 254 : Math.ceil(((factor - 50) * 5) / 4))) : factors);

export class Rivals {
  #planners = [];
  #shown;
  #ends = "";
  #replan;

  /**
   * @param ids planners
   * @param copies of each in each of so many groups that are timed: a browser's clock is too coarse for one plan
   * @throws ReplanError when one cannot plan such a world
   */
  constructor(replan, ids, { width, height, neighbors, wraps }, profile, factors, { groups, copies } = { groups: 1, copies: 1 }) {
    Object.assign(this, { width, profile, copies, updates: 0, equal: 0, isNew: false, ends: [] });
    this.#replan = replan;
    this.#shown = factors.slice();
    const data = bytesOf(profile, factors);
    const make = (planner) => replan.createPlanner({
      width, height, data, neighbors, wraps, planner, profile: profile === "costmap" ? "costmap" : "factor",
    });
    try {
      for (const id of ids) {
        // One more of each is listened to.
        const rival = { id, planners: [], expanded: [], ms: [], last: null };
        this.#planners.push(rival);
        for (let i = 0; i <= groups * copies; i++) {
          rival.planners.push(make(id));
        }
      }
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** The same changes, start and goal for all. */
  update(factors, start, goal) {
    const cells = [];
    const values = [];
    factors.forEach((factor, i) => {
      if (factor !== this.#shown[i]) {
        cells.push([i % this.width, Math.floor(i / this.width)]);
        values.push(factor);
      }
    });
    const ends = `${start},${goal}`;
    if (cells.length === 0 && ends === this.#ends) {
      return;
    }
    this.#shown = factors.slice();
    this.#ends = ends;
    this.ends = [start, goal];
    const bytes = bytesOf(this.profile, Uint8Array.from(values));
    const costs = new Array(this.#planners.length);
    const count = this.#planners.length;
    for (let i = 0; i < count; i++) {
      const turn = (this.updates + i) % count; // who comes first, by turns
      const rival = this.#planners[turn];
      const [heard, ...timed] = rival.planners;
      const tell = (planner) => {
        planner.setStart(start);
        planner.setGoal(goal);
        if (cells.length > 0) {
          planner.setCells(cells, bytes);
        }
      };
      let ms = Infinity;
      for (let from = 0; from < timed.length; from += this.copies) {
        const fromMs = performance.now();
        timed.slice(from, from + this.copies).forEach((planner) => {
          tell(planner);
          planner.plan();
        });
        ms = Math.min(ms, (performance.now() - fromMs) / this.copies);
      }
      tell(heard);
      const { done: plan, words } = this.#replan.trace(this.width, true, () => heard.plan());
      keep(rival.ms, ms);
      keep(rival.expanded, plan.expanded);
      costs[turn] = plan.cost;
      rival.last = {
        words, path: plan.cells, ms, cost: plan.cost, outcome: plan.outcome, planner: plan.planner, why: plan.why,
        counted: plan.expanded, ...countsOf(words),
      };
    }
    this.updates++;
    this.isNew = true;
    this.equal += Number(costs.every((cost) => cost === costs[0] || Math.abs(costs[0] - cost) < 1e-6 * costs[0]));
  }

  /** Means of the last updates by planner, how often all costs were equal, and what the last update did, once. */
  told() {
    const { isNew } = this;
    this.isNew = false;
    return {
      updates: this.updates, equal: this.equal, ends: this.ends,
      planners: this.#planners.map(({ id, expanded, ms, last }) => {
        const { words, path, ...counts } = last ?? {};
        return { id, expanded: meanOf(expanded), ms: meanOf(ms), last: last && counts, search: isNew && last ? { words, path } : null };
      }),
    };
  }

  close() {
    this.#planners.forEach(({ planners }) => planners.forEach((planner) => planner.close()));
  }
}

function keep(list, value) {
  list.push(value);
  if (list.length > MEAN_OVER) {
    list.shift();
  }
}

const meanOf = (list) => list.reduce((sum, value) => sum + value, 0) / Math.max(list.length, 1);
