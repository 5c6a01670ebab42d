// Pointer, touch and keys on the map.
import { byId, make } from "./dom.js";

const SIZES = [1, 3, 5, 9];
const BUILDING_SIDES = [3, 5, 9, 15]; // by size of the brush
const HOLD_MS = 90; // a building that is held so still is asked about
const KEYS = { v: "move", w: "wall", t: "terrain", b: "building", e: "free" };

export class Tools {
  tool = "move";
  size = 1; // number in SIZES
  level = 1;
  #stroke = 0;
  #last = null; // the cell that a stroke was at
  #pointers = new Map(); // by id: [x, y]
  #grab = null; // { unit, what }
  #pan = null;
  #question = 0;
  #timer = 0;
  #isSpread = false; // two fingers move the map

  /** @param send (message) to the worker */
  constructor(view, send) {
    this.view = view;
    this.send = send;
    const { stage } = view;
    document.querySelectorAll("[data-tool]").forEach((button) =>
      button.addEventListener("click", () => this.choose(button.dataset.tool)));
    SIZES.forEach((side, i) => byId("sizes").append(make("button", {
      "data-size": i, title: `Brush of ${side} (${i + 1})`, "aria-label": `Brush of ${side}`, click: () => this.resize(i),
    }, dotOf(4 + 4 * i))));
    [0, 1, 2].forEach((level) => byId("levels").append(make("button", {
      "data-level": level, title: ["Dear", "Dearer", "Dearest"][level], click: () => this.#setLevel(level),
    }, make("i"))));
    byId("undo").addEventListener("click", () => send({ type: "undo" }));
    document.querySelectorAll("[data-zoom]").forEach((button) => button.addEventListener("click", () => this.#zoom(button.dataset.zoom)));
    stage.addEventListener("pointerdown", (event) => this.#down(event));
    stage.addEventListener("pointermove", (event) => this.#move(event));
    ["pointerup", "pointercancel"].forEach((name) => stage.addEventListener(name, (event) => this.#up(event)));
    stage.addEventListener("pointerleave", () => this.#hover(null));
    stage.addEventListener("contextmenu", (event) => event.preventDefault());
    stage.addEventListener("wheel", (event) => {
      event.preventDefault();
      view.zoom(Math.exp(-event.deltaY / 400), ...placeOf(event, stage));
    }, { passive: false });
    document.addEventListener("keydown", (event) => this.#key(event));
    this.choose("move");
    this.resize(1);
    this.#setLevel(1);
  }

  choose(tool) {
    this.tool = tool;
    press("[data-tool]", (button) => button.dataset.tool === tool);
    byId("levels").hidden = tool !== "terrain";
    byId("sizes").hidden = tool === "move";
    this.view.stage.style.cursor = tool === "move" ? "default" : "crosshair";
    this.#hover(null);
  }

  resize(size) {
    this.size = size;
    press("[data-size]", (button) => Number(button.dataset.size) === size);
  }

  #setLevel(level) {
    this.level = level;
    press("[data-level]", (button) => Number(button.dataset.level) === level);
  }

  #zoom(how) {
    if (how === "fit") {
      this.view.fit();
    } else {
      this.view.zoom(how === "in" ? 1.5 : 1 / 1.5);
    }
  }

  // ---- what a brush covers

  /** The cells that the tool would change at a cell, kept inside the world. */
  #area(x, y) {
    const side = this.tool === "building" ? BUILDING_SIDES[this.size] : SIZES[this.size];
    const { width, height } = this.view.world;
    const left = Math.min(Math.max(x - (side >> 1), 0), Math.max(width - side, 0));
    const top = Math.min(Math.max(y - (side >> 1), 0), Math.max(height - side, 0));
    return { x: left, y: top, width: Math.min(side, width), height: Math.min(side, height), isBuilding: this.tool === "building" };
  }

  #cells({ x, y, width, height }) {
    return Array.from({ length: width * height }, (_, i) => (y + Math.floor(i / width)) * this.view.world.width + x + (i % width));
  }

  #paint(cells) {
    this.send({ type: "paint", cells, material: this.tool, level: this.level, stroke: this.#stroke });
  }

  /** Draw from the last cell to this one. */
  #drag(x, y) {
    const [fromX, fromY] = this.#last ?? [x, y];
    const count = Math.max(Math.abs(x - fromX), Math.abs(y - fromY), 1);
    const cells = new Set();
    for (let i = this.#last === null ? 0 : 1; i <= count; i++) {
      const [atX, atY] = [Math.round(fromX + ((x - fromX) * i) / count), Math.round(fromY + ((y - fromY) * i) / count)];
      this.#cells(this.#area(atX, atY)).forEach((cell) => cells.add(cell));
    }
    this.#last = [x, y];
    this.#paint([...cells]);
  }

  /** Use the tool at a cell, once. */
  #use(x, y) {
    this.#stroke++;
    if (this.tool === "move") {
      this.#choose(this.view.pick(x + 0.5, y + 0.5, 24));
    } else {
      this.#paint(this.#cells(this.#area(x, y)));
    }
  }

  // ---- what if

  #hover(place) {
    const { view } = this;
    if (place === null || this.tool === "move" || view.world === null || !view.contains(...place)) {
      view.cursor = null;
      this.#ask(null);
      return;
    }
    const before = view.cursor;
    view.cursor = this.#area(Math.floor(place[0]), Math.floor(place[1]));
    const isOther = before === null || before.x !== view.cursor.x || before.y !== view.cursor.y || before.width !== view.cursor.width;
    if (this.tool === "building" && isOther) {
      this.#ask(view.cursor);
    }
  }

  /** Ask who would lose the way, or pay more, once the building is held still. */
  #ask(place) {
    clearTimeout(this.#timer);
    this.#question++;
    this.view.whatIf = null;
    byId("whatif").hidden = true;
    if (place !== null) {
      const { x, y, width, height } = place;
      this.#timer = setTimeout(() => this.send({ type: "whatIf", id: this.#question, place: { x, y, width, height } }), HOLD_MS);
    }
  }

  /** The answer: it counts if the building is still held there. */
  answer({ id, units }) {
    if (id !== this.#question || this.tool !== "building" || this.view.cursor === null) {
      return;
    }
    this.view.whatIf = { units: new Map(units.map(({ unit, after }) => [unit, after])) };
    const lost = units.filter(({ after }) => after === null).length;
    const dearer = units.filter(({ after }) => after !== null);
    const worst = Math.max(...dearer.map(({ before, after }) => after - before), 0);
    const parts = [lost > 0 ? `${lost} would lose the way` : "", dearer.length > 0 ? `${dearer.length} would pay more, at most +${worst.toFixed(1)}` : ""];
    byId("whatif").textContent = parts.filter((part) => part !== "").join("; ") || "Nobody would notice";
    byId("whatif").hidden = false;
  }

  // ---- pointers

  #choose(found) {
    this.send({ type: "choose", unit: found === null ? -1 : found.unit });
  }

  #down(event) {
    const { view } = this;
    if (event.target.closest("#zoom, #sentence") || view.world === null) {
      return;
    }
    event.preventDefault();
    view.stage.focus({ preventScroll: true });
    view.stage.setPointerCapture(event.pointerId);
    const place = placeOf(event, view.stage);
    this.#pointers.set(event.pointerId, place);
    if (this.#pointers.size === 2) {
      this.#spread();
      return;
    }
    if (event.button !== 0) {
      this.#pan = place;
      return;
    }
    const [x, y] = view.cellAt(...place);
    this.#stroke++;
    this.#last = null;
    if (this.tool === "move") {
      const found = view.pick(x, y, event.pointerType === "touch" ? 24 : 14);
      this.#choose(found);
      this.#grab = found;
      this.#pan = found === null ? place : null;
      view.stage.style.cursor = found === null ? "grabbing" : "move";
    } else if (view.contains(x, y)) {
      this.#hover([x, y]);
      this.#drag(Math.floor(x), Math.floor(y));
    }
  }

  /** Two fingers: what the first one began is taken back. */
  #spread() {
    if (!this.#isSpread && this.#last !== null) {
      this.send({ type: "undo" });
    }
    this.#isSpread = true;
    this.#grab = this.view.grabbed = this.#last = this.#pan = null;
    this.#hover(null);
  }

  #pinch(event, place) {
    const [id, other] = [...this.#pointers].find(([pointer]) => pointer !== event.pointerId) ?? [];
    if (id === undefined) {
      return;
    }
    const before = this.#pointers.get(event.pointerId);
    const lengthOf = ([x, y]) => Math.hypot(x - other[0], y - other[1]);
    const middleOf = ([x, y]) => [(x + other[0]) / 2, (y + other[1]) / 2];
    const [fromX, fromY] = middleOf(before);
    const [toX, toY] = middleOf(place);
    this.view.zoom(lengthOf(place) / Math.max(lengthOf(before), 1), toX, toY);
    this.view.pan(toX - fromX, toY - fromY);
  }

  #move(event) {
    const { view } = this;
    if (view.world === null) {
      return;
    }
    const place = placeOf(event, view.stage);
    const [x, y] = view.cellAt(...place);
    if (this.#isSpread) {
      this.#pinch(event, place);
    } else if (this.#pan !== null) {
      view.pan(place[0] - this.#pan[0], place[1] - this.#pan[1]);
      this.#pan = place;
    } else if (this.#grab !== null) {
      if (view.contains(x, y)) {
        view.grabbed = { what: this.#grab.what, x, y };
        if (this.#grab.what !== "unit") {
          this.#drop([x, y]);
        }
      }
    } else if (this.#pointers.has(event.pointerId) && this.tool !== "move") {
      this.#hover([x, y]);
      if (view.contains(x, y) && (this.tool !== "building" || this.#last === null)) {
        this.#drag(Math.floor(x), Math.floor(y));
      }
    } else {
      this.#hover(event.pointerType === "touch" ? null : [x, y]);
    }
    if (this.#pointers.has(event.pointerId)) {
      this.#pointers.set(event.pointerId, place);
    }
  }

  /** Tell the worker where what is dragged lies now, once a cell. */
  #drop([x, y]) {
    const cell = [Math.floor(x), Math.floor(y)];
    if (this.#last === null || this.#last[0] !== cell[0] || this.#last[1] !== cell[1]) {
      this.#last = cell;
      this.send({ type: "move", unit: this.#grab.unit, what: this.#grab.what, cell });
    }
  }

  #up(event) {
    this.#pointers.delete(event.pointerId);
    const { view } = this;
    if (this.#grab !== null && view.grabbed !== null) {
      this.#drop([view.grabbed.x, view.grabbed.y]);
    }
    this.#grab = view.grabbed = this.#pan = this.#last = null;
    this.#isSpread = this.#pointers.size > 0 && this.#isSpread;
    view.stage.style.cursor = this.tool === "move" ? "default" : "crosshair";
    if (event.pointerType === "touch") {
      this.#hover(null);
    }
  }

  // ---- keys

  #key(event) {
    const isTyping = event.target.matches("input:not([type=checkbox]), select");
    if (isTyping || event.altKey || this.view.world === null) {
      return;
    }
    const key = event.key.toLowerCase();
    if (key === "u" || (key === "z" && (event.ctrlKey || event.metaKey))) {
      this.send({ type: "undo" });
    } else if (event.ctrlKey || event.metaKey) {
      return;
    } else if (key in KEYS) {
      this.choose(KEYS[key]);
    } else if (/^[1-4]$/.test(key)) {
      this.resize(Number(key) - 1);
    } else if (key === "+" || key === "=") {
      this.#zoom("in");
    } else if (key === "-") {
      this.#zoom("out");
    } else if (key === "0") {
      this.#zoom("fit");
    } else if (document.activeElement === this.view.stage && (key.startsWith("arrow") || key === "enter")) {
      this.#steer(key);
    } else {
      return;
    }
    event.preventDefault();
  }

  /** Arrows move a cell of the keyboard's own, Enter uses the tool there. */
  #steer(key) {
    const { width, height } = this.view.world;
    this.at ??= [width >> 1, height >> 1];
    const [dx, dy] = { arrowleft: [-1, 0], arrowright: [1, 0], arrowup: [0, -1], arrowdown: [0, 1] }[key] ?? [0, 0];
    this.at = [Math.min(Math.max(this.at[0] + dx, 0), width - 1), Math.min(Math.max(this.at[1] + dy, 0), height - 1)];
    if (key === "enter") {
      this.#use(...this.at);
    }
    this.#hover(this.at);
    this.view.cursor ??= { x: this.at[0], y: this.at[1], width: 1, height: 1 };
  }
}

const placeOf = (event, stage) => {
  const { left, top } = stage.getBoundingClientRect();
  return [event.clientX - left, event.clientY - top];
};

function dotOf(pixels) {
  const dot = make("i");
  dot.style.width = dot.style.height = `${pixels}px`;
  return dot;
}

function press(selector, isPressed) {
  document.querySelectorAll(selector).forEach((button) => button.setAttribute("aria-pressed", isPressed(button)));
}
