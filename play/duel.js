// What searches did, over the map: of planners side by side, step by step, and of all units that walk.
import { EXPANDED, LEVEL, RAISED, REUSED, cellOf, isLevelEnd, kindOf, stepsOf } from "./trace.js";

const FADE_S = 1.2; // how long a search of the units is seen
const WORDS_MOST = 60000; // of these, more are not drawn

/** Red, green, blue, alpha. Blue and orange are told apart by everybody; what is reused is nearly grey. */
const LIGHT = {
  expanded: [58, 128, 222, 165], again: [24, 70, 160, 205], reused: [126, 150, 140, 105], raised: [226, 112, 20, 225], levels: [[58, 128, 222, 190], [120, 176, 240, 190]],
  path: "#12366f", front: "#0b2245", letOff: "#7d8794",
};
const DARK = {
  expanded: [70, 140, 240, 150], again: [150, 195, 255, 205], reused: [138, 162, 152, 85], raised: [255, 150, 60, 215], levels: [[70, 140, 240, 175], [36, 82, 150, 190]],
  path: "#e9f1ff", front: "#ffffff", letOff: "#6c7683",
};
export const traceColours = (isDark) => (isDark ? DARK : LIGHT);

/** Cells as pixels, one each. */
class Sheet {
  constructor(width, height) {
    this.canvas = document.createElement("canvas");
    Object.assign(this.canvas, { width, height });
    this.context = this.canvas.getContext("2d");
    this.image = this.context.createImageData(width, height);
  }

  clear() {
    this.image.data.fill(0);
  }

  put(cell, [red, green, blue, alpha], share = 1) {
    const { data } = this.image;
    data[4 * cell] = red;
    data[4 * cell + 1] = green;
    data[4 * cell + 2] = blue;
    data[4 * cell + 3] = alpha * share;
  }

  /** What was put is seen from now on. */
  flush() {
    this.context.putImageData(this.image, 0, 0);
  }

  draw(context) {
    context.imageSmoothingEnabled = false;
    context.drawImage(this.canvas, 0, 0);
  }
}

/** One planner's last search. */
class Side {
  constructor(id, width, height) {
    Object.assign(this, { id, width, sheet: new Sheet(width, height), seen: new Uint8Array(width * height), path: new Uint32Array(0), kept: [], words: [], ends: [], isDirty: true });
  }

  /** Its answer stood, or an end is blocked. */
  get isIdle() {
    return this.words.length + this.kept.length === 0;
  }

  take({ words, path }) {
    Object.assign(this, stepsOf(words), { path, isDirty: true });
  }

  /** Paint the search over what was kept, up to a step of the longest one. Levels, which are few, go on as that one does. */
  paint(wanted, most, isDark) {
    const isByLevel = this.words.length > 0 && kindOf(this.words.at(-1)) === LEVEL;
    const step = isByLevel ? Math.ceil((wanted / most) * this.ends.length) : wanted;
    const colours = traceColours(isDark);
    this.sheet.clear();
    this.seen.fill(0);
    for (const word of this.kept) {
      this.sheet.put(cellOf(word), colours.reused);
    }
    const end = step === 0 ? 0 : this.ends[Math.min(step, this.ends.length) - 1] ?? 0;
    let level = 0;
    for (let i = 0; i < end; i++) {
      const word = this.words[i];
      if (isLevelEnd(word)) {
        level++;
      } else {
        const [kind, cell] = [kindOf(word), cellOf(word)];
        const expanded = this.seen[cell] === 1 ? colours.again : colours.expanded;
        this.seen[cell] = Number(kind === EXPANDED);
        this.sheet.put(cell, kind === LEVEL ? colours.levels[level % 2] : kind === RAISED ? colours.raised : expanded);
      }
    }
    this.sheet.flush();
    this.front = end === 0 || end === this.words.length || kindOf(this.words[end - 1]) === LEVEL ? null : cellOf(this.words[end - 1]);
  }

  draw(context, isDark, pixels) {
    const colours = traceColours(isDark);
    this.sheet.draw(context);
    if (this.front !== null) {
      context.strokeStyle = colours.front;
      context.lineWidth = pixels(1.5);
      context.strokeRect(this.front % this.width, Math.floor(this.front / this.width), 1, 1);
    }
    const { path } = this;
    context.strokeStyle = colours.path;
    context.lineJoin = context.lineCap = "round";
    context.lineWidth = pixels(2);
    context.beginPath();
    for (let i = 0; i < path.length; i += 2) {
      const isSeam = i > 0 && Math.abs(path[i] - path[i - 2]) + Math.abs(path[i + 1] - path[i - 1]) > 2;
      context[i === 0 || isSeam ? "moveTo" : "lineTo"](path[i] + 0.5, path[i + 1] + 0.5);
    }
    context.stroke();
  }
}

export class Duel {
  #sides = [];
  step = 0; // of the slider
  isHeld = false; // somebody goes through a search: newer ones are not shown
  isDark = false;

  constructor(ids, width, height) {
    this.#sides = ids.map((id) => new Side(id, width, height));
  }

  get count() {
    return this.#sides.length;
  }

  /** Steps of the longest search. */
  get most() {
    return Math.max(0, ...this.#sides.map(({ ends }) => ends.length));
  }

  /** What the planners' last searches were. @returns true when they are shown now */
  take(planners) {
    const isNews = planners.length === this.count && planners.every(({ id, search }, i) => search !== null && id === this.#sides[i].id);
    if (!isNews || this.isHeld) {
      return false;
    }
    planners.forEach(({ search }, i) => this.#sides[i].take(search));
    this.seek(this.most);
    return true;
  }

  /** Show the searches up to a step. */
  seek(step) {
    this.step = step;
    this.isHeld = step < this.most;
    this.#sides.forEach((side) => {
      side.isDirty = true;
    });
  }

  /** How many steps of each search are drawn, and how many cells that were kept: for tests. */
  painted() {
    return this.#sides.map(({ ends, kept }) => ({ steps: Math.min(this.step, ends.length), kept: kept.length }));
  }

  /** @param ends start and goal of all @param pixels gives so many CSS pixels in cells */
  draw(context, pane, isDark, pixels, ends, colours) {
    const side = this.#sides[pane];
    if (side.isDirty || this.isDark !== isDark) {
      this.isDark = isDark;
      this.#sides.forEach((each) => {
        each.paint(this.step, this.most, isDark);
        each.isDirty = false;
      });
    }
    side.draw(context, isDark, pixels);
    this.#label(context, side.isIdle ? `${side.id}: nothing had to be searched` : side.id, pixels, colours);
    ends.forEach(([x, y], i) => {
      context.beginPath();
      context.arc(x + 0.5, y + 0.5, pixels(5.5), 0, 2 * Math.PI);
      context.fillStyle = i === 0 ? colours.unit : colours.free;
      context.strokeStyle = i === 0 ? colours.ring : colours.path;
      context.lineWidth = pixels(2);
      context.fill();
      context.stroke();
      if (i === 1) {
        context.beginPath();
        context.arc(x + 0.5, y + 0.5, pixels(2.2), 0, 2 * Math.PI);
        context.fillStyle = colours.path;
        context.fill();
      }
    });
  }

  /** Whose search it is, in the corner. */
  #label(context, text, pixels, colours) {
    context.font = `600 ${pixels(12)}px system-ui, sans-serif`;
    const width = context.measureText(text).width;
    context.fillStyle = colours.free;
    context.globalAlpha = 0.9;
    context.fillRect(pixels(4), pixels(4), width + pixels(12), pixels(20));
    context.globalAlpha = 1;
    context.fillStyle = colours.path;
    context.fillText(text, pixels(10), pixels(18));
  }
}

/** What the searches of all units did lately, and which units were let off. */
export class Searches {
  #recent = []; // { words, atS }
  #heardAt = new Map(); // by unit
  #changedAt = -Infinity;
  #sheet;
  #isDirty = false;

  constructor(width, height) {
    this.#sheet = new Sheet(width, height);
  }

  /** @param words what was searched in a tick @param heard numbers of the units whose answer is new */
  take(words, heard, isChanged, nowS) {
    if (words.length > 0) {
      this.#recent.push({ words: words.slice(-WORDS_MOST), atS: nowS });
    }
    heard.forEach((unit) => this.#heardAt.set(unit, nowS));
    this.#changedAt = isChanged ? nowS : this.#changedAt;
    this.#recent = this.#recent.filter(({ atS }) => nowS - atS < FADE_S);
    this.#isDirty = true;
  }

  /** Whether a unit was planned for after the last changes, or let off: its path still stands. */
  isPlanned(unit, nowS) {
    return nowS - (this.#heardAt.get(unit) ?? -Infinity) < FADE_S;
  }

  /** Cells that were searched lately: for tests. */
  get cells() {
    return this.#recent.reduce((sum, { words }) => sum + words.length, 0);
  }

  /** True while a change is not long ago. */
  isFresh(nowS) {
    return nowS - this.#changedAt < FADE_S;
  }

  draw(context, isDark, nowS) {
    if (this.#isDirty) {
      this.#paint(traceColours(isDark), nowS);
      this.#isDirty = false;
    }
    this.#sheet.draw(context);
  }

  #paint(colours, nowS) {
    this.#sheet.clear();
    for (const { words, atS } of this.#recent) {
      const share = Math.max(1 - (nowS - atS) / FADE_S, 0);
      for (const word of words) {
        if (!isLevelEnd(word) && kindOf(word) !== REUSED) {
          this.#sheet.put(cellOf(word), kindOf(word) === RAISED ? colours.raised : kindOf(word) === EXPANDED ? colours.expanded : colours.levels[0], share);
        }
      }
    }
    this.#sheet.flush();
  }
}
