// Small changes of a world that come and go by themselves.
import { isBlocked, materialsOf } from "./ground.js";
import { wholeOf } from "./random.js";

const LIFE_S = 6;

/** Barriers on free cells and gaps in walls, each for some seconds. */
export class Churn {
  #patches = []; // { x, y, width, height, until }, the oldest first
  #due = 0;

  /** @param drawn bytes of the world without churn; they change as people draw */
  constructor(random, profile, width, height, drawn) {
    Object.assign(this, { random, profile, width, height, drawn });
  }

  /**
   * The changes of a tick: half of them come, half of them go.
   * @param isFree (cell) => true where a barrier may stand
   * @returns {{ x: number, y: number, width: number, height: number, data: Uint8Array }[]}
   */
  tick(seconds, nowS, perSecond, isFree) {
    const changes = [];
    while (this.#patches.length > 0 && (this.#patches[0].until <= nowS || perSecond === 0)) {
      changes.push(this.#drawnIn(this.#patches.shift()));
    }
    this.#due = Math.min(this.#due + (perSecond / 2) * seconds, 30);
    for (; this.#due >= 1; this.#due--) {
      const change = this.#another(isFree);
      if (change !== null) {
        this.#patches.push({ ...change, until: nowS + LIFE_S });
        changes.push(change);
      }
    }
    return changes;
  }

  /** What churn shows of the cells that someone draws now goes. */
  forget(cells) {
    const drawn = new Set(cells);
    this.#patches = this.#patches.filter(({ x, y, width, height }) => {
      for (let i = 0; i < width * height; i++) {
        if (drawn.has((y + Math.floor(i / width)) * this.width + x + (i % width))) {
          return false;
        }
      }
      return true;
    });
  }

  #drawnIn({ x, y, width, height }) {
    const data = new Uint8Array(width * height);
    for (let row = 0; row < height; row++) {
      data.set(this.drawn.subarray((y + row) * this.width + x, (y + row) * this.width + x + width), row * width);
    }
    return { x, y, width, height, data };
  }

  #another(isFree) {
    const [width, height] = this.random() < 0.5 ? [wholeOf(this.random, 1, 4), 1] : [1, wholeOf(this.random, 1, 4)];
    const x = wholeOf(this.random, 1, this.width - width - 1);
    const y = wholeOf(this.random, 1, this.height - height - 1);
    if (x < 0 || y < 0 || this.#patches.some((patch) => meets(patch, { x, y, width, height }))) {
      return null;
    }
    const { data } = this.#drawnIn({ x, y, width, height });
    const { free, wall, barrier } = materialsOf(this.profile);
    if (data.every((byte) => byte === wall) && this.random() < 0.5) {
      return { x, y, width, height, data: data.fill(free) };
    }
    for (let i = 0; i < data.length; i++) {
      if (isBlocked(this.profile, data[i]) || !isFree((y + Math.floor(i / width)) * this.width + x + (i % width))) {
        return null;
      }
    }
    return { x, y, width, height, data: data.fill(barrier) };
  }
}

function meets(a, b) {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}
