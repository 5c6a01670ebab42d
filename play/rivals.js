// Two planners side by side: each has the grid that the chosen unit's planner sees, and the same changes.

const MEAN_OVER = 60; // updates

/** Bytes of the package's profile of that name for factors as an agent's planner sees them. */
const bytesOf = (profile, factors) => (profile === "costmap"
  ? factors.map((factor) => (factor === 0 ? 254 : Math.ceil(((factor - 50) * 5) / 4))) : factors);

export class Rivals {
  #planners = [];
  #shown;
  #ends = "";

  /** @param ids two planners @throws ReplanError when a planner cannot plan such a world */
  constructor(replan, ids, { width, height, neighbors, wraps }, profile, factors) {
    Object.assign(this, { width, profile, updates: 0, equal: 0 });
    this.#shown = factors.slice();
    const data = bytesOf(profile, factors);
    try {
      for (const id of ids) {
        const planner = replan.createPlanner({
          width, height, data, neighbors, wraps, planner: id, profile: profile === "costmap" ? "costmap" : "factor",
        });
        this.#planners.push({ id, planner, expanded: [], ms: [] });
      }
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** The same changes, start and goal for both. */
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
    const bytes = bytesOf(this.profile, Uint8Array.from(values));
    const turn = this.updates % 2 === 0 ? [0, 1] : [1, 0];
    const costs = [];
    for (const i of turn) {
      const rival = this.#planners[i];
      const from = performance.now();
      rival.planner.setStart(start);
      rival.planner.setGoal(goal);
      if (cells.length > 0) {
        rival.planner.setCells(cells, bytes);
      }
      const plan = rival.planner.plan();
      keep(rival.ms, performance.now() - from);
      keep(rival.expanded, plan.expanded);
      costs.push(plan.cost);
    }
    this.updates++;
    this.equal += Number(costs[0] === costs[1] || Math.abs(costs[0] - costs[1]) < 1e-6 * costs[0]);
  }

  /** Means of the last updates by planner, and how often both costs were equal. */
  told() {
    return {
      updates: this.updates, equal: this.equal,
      planners: this.#planners.map(({ id, expanded, ms }) => ({ id, expanded: meanOf(expanded), ms: meanOf(ms) })),
    };
  }

  close() {
    this.#planners.forEach(({ planner }) => planner.close());
  }
}

function keep(list, value) {
  list.push(value);
  if (list.length > MEAN_OVER) {
    list.shift();
  }
}

const meanOf = (list) => list.reduce((sum, value) => sum + value, 0) / Math.max(list.length, 1);
