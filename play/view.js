// The picture: the ground on one canvas, drawn when it changes; lines on another, drawn when the worker tells of a tick;
// units and marks on a third one, drawn every frame.
import { Searches, traceColours } from "./duel.js";
import { addBody } from "./driving.js";
import { drawCauses, drawOldPath } from "./marks.js";
import { Painter } from "./paint.js";
import { paletteOf } from "./palette.js";
import { Sprites } from "./sprites.js";

const FLASH_S = 1.1; // how long a line that turned stays bright
const ZOOM_MOST = 12;
const LEAST_SHARE = 0.86; // of the room that a map may leave, so that its cells are whole pixels
const LOST = 2; // STATE.lost of traffic.js
const STAYS = 3; // STATE.stays
const RUNNER_BIT = 16;
const NOBODY = -1; // in place of a unit: the ends of a scene

export class View {
  #painter = new Painter();
  #sprites = new Sprites();
  #isGroundDirty = true;
  #arePathsDirty = true;
  #ratio = 1;
  #fit = 1; // device pixels a cell when the whole map is seen
  #zoom = 1;
  #left = 0; // device pixels from the stage's corner to that of the map
  #top = 0;
  #lines = new Map(); // by unit: { line, from, to (corners that bound it), turnedAt }
  told = null; // the last tick
  #toldAt = 0;
  world = null;
  cursor = null; // { x, y, width, height }: the cells that a tool would change
  chosen = null; // what the worker says of the chosen unit
  why = null; // that of its answers whose causes are marked
  grabbed = null; // { what, x, y } while a unit or an end is dragged
  whatIf = null; // { place, units: Map unit -> after }
  duel = null; // a Duel: planners side by side, each in a pane of its own
  duelEnds = []; // start and goal of these
  isStaged = false; // they are those of a scene, which can be dragged
  searches = null; // a Searches: what all units search

  /** @param stage element with the three canvases */
  constructor(stage, ground, paths, over) {
    this.stage = stage;
    this.ground = ground;
    this.paths = paths;
    this.over = over;
    this.groundContext = ground.getContext("2d", { alpha: false });
    this.pathsContext = paths.getContext("2d");
    this.context = over.getContext("2d");
    new ResizeObserver(() => this.resize()).observe(stage);
  }

  // ---- what is shown

  show(world) {
    this.world = world;
    this.#lines.clear();
    this.told = null;
    this.chosen = this.why = this.whatIf = this.grabbed = this.duel = null;
    this.searches &&= new Searches(world.width, world.height);
    this.resize();
  }

  get showsMargin() {
    const { settings: { radius, inflation }, profile } = this.world;
    return radius > 0 || (inflation > 0 && profile === "costmap");
  }

  /** Cells that look different now. */
  change({ cells, bytes, factors }) {
    cells.forEach((cell, i) => {
      this.world.bytes[cell] = bytes[i];
      this.world.factors[cell] = factors[i];
    });
    if (cells.length > 0) {
      this.#painter.change(cells);
      this.#isGroundDirty = true;
    }
  }

  tick(told, nowS) {
    this.told = told;
    this.#toldAt = nowS;
    this.#arePathsDirty = true;
    for (const [unit, line, isTurned, yaws] of told.lines) {
      this.#lines.set(unit, { line, yaws, bounds: this.world.wraps ? boundsOf(line) : null, turnedAt: isTurned ? nowS : -Infinity });
    }
  }

  /** What searches did is to be drawn anew. */
  redraw() {
    this.#arePathsDirty = true;
  }

  /** Colours or the margin are others now. */
  repaint() {
    this.#painter.paint(this.world, Math.min(Math.ceil(this.#fit), 16), this.isDark, this.showsMargin);
    this.#isGroundDirty = true;
  }

  // ---- where it is shown

  resize() {
    const { clientWidth, clientHeight } = this.stage;
    this.#ratio = Math.min(devicePixelRatio || 1, 2);
    for (const canvas of [this.ground, this.paths, this.over]) {
      canvas.width = Math.max(Math.round(clientWidth * this.#ratio), 1);
      canvas.height = Math.max(Math.round(clientHeight * this.#ratio), 1);
    }
    if (this.world !== null) {
      this.fit();
    }
  }

  /** How many panes there are, of what size and where: each shows the world. They lie so that it is seen largest. */
  #panes() {
    const count = this.duel?.count ?? 1;
    const [width, height] = [this.over.width, this.over.height];
    const fitOf = (columns, rows) => Math.min(width / columns / this.world.width, height / rows / this.world.height);
    const isBeside = fitOf(count, 1) >= fitOf(1, count);
    const [columns, rows] = isBeside ? [count, 1] : [1, count];
    const [paneWidth, paneHeight] = [Math.floor(width / columns), Math.floor(height / rows)];
    return {
      width: paneWidth, height: paneHeight,
      corners: Array.from({ length: count }, (_, i) => (isBeside ? [i * paneWidth, 0] : [0, i * paneHeight])),
    };
  }

  /** Show the whole map; a cell is a whole number of device pixels where that wastes little room. */
  fit() {
    const margin = 2 * Math.round(6 * this.#ratio);
    const { width, height } = this.#panes();
    const exact = Math.min((width - margin) / this.world.width, (height - margin) / this.world.height);
    this.#fit = Math.floor(exact) / exact > LEAST_SHARE ? Math.floor(exact) : exact;
    this.#zoom = 1;
    this.#center();
    this.repaint();
  }

  #center() {
    const { width, height } = this.#panes();
    this.#left = Math.round((width - this.world.width * this.scale) / 2);
    this.#top = Math.round((height - this.world.height * this.scale) / 2);
    this.#isGroundDirty = true;
  }

  /** Device pixels a cell. */
  get scale() {
    return this.#fit * this.#zoom;
  }

  /** Zoom around a point of the stage, in CSS pixels; its middle without one. */
  zoom(factor, x = this.stage.clientWidth / 2, y = this.stage.clientHeight / 2) {
    const before = this.#zoom;
    this.#zoom = Math.min(Math.max(before * factor, 1), ZOOM_MOST);
    if (this.#zoom === 1) {
      this.#center();
      return;
    }
    const change = this.#zoom / before;
    const [atX, atY] = this.#inPane(x, y);
    this.#left = Math.round(atX - (atX - this.#left) * change);
    this.#top = Math.round(atY - (atY - this.#top) * change);
    this.pan(0, 0);
  }

  pan(dx, dy) {
    const within = (at, size, room) => (size <= room ? Math.round((room - size) / 2) : Math.min(Math.max(at, room - size - 40), 40));
    const { width, height } = this.#panes();
    this.#left = within(this.#left + dx * this.#ratio, this.world.width * this.scale, width);
    this.#top = within(this.#top + dy * this.#ratio, this.world.height * this.scale, height);
    this.#isGroundDirty = true;
  }

  /** How far a pane's corner lies from that of the first, in CSS pixels. */
  paneCorner(pane) {
    return this.#panes().corners[pane].map((at) => at / this.#ratio);
  }

  /** A point of the stage, in device pixels from the corner of the pane that it lies in. */
  #inPane(x, y) {
    const { width, height, corners } = this.#panes();
    const [lastX, lastY] = corners.at(-1);
    const along = (at, size, last) => at - Math.min(Math.max(Math.floor(at / size), 0) * size, last);
    return [along(x * this.#ratio, width, lastX), along(y * this.#ratio, height, lastY)];
  }

  /** The cell at a point of the stage, with fractions; it may lie outside. */
  cellAt(x, y) {
    const [atX, atY] = this.#inPane(x, y);
    return [(atX - this.#left) / this.scale, (atY - this.#top) / this.scale];
  }

  /** The point of the stage where a cell's corner lies. */
  pointOf(x, y) {
    return [(this.#left + x * this.scale) / this.#ratio, (this.#top + y * this.scale) / this.#ratio];
  }

  contains(x, y) {
    return this.world !== null && x >= 0 && y >= 0 && x < this.world.width && y < this.world.height;
  }

  /** The unit or end nearest to a place, within some pixels. @returns {{ unit, what } | null} */
  pick(x, y, pixels) {
    const reach = (pixels * this.#ratio) / this.scale;
    let best = null;
    let least = reach;
    const offer = (unit, what, atX, atY, bonus) => {
      const distance = Math.hypot(atX - x, atY - y) - bonus;
      if (distance < least) {
        [best, least] = [{ unit, what }, distance];
      }
    };
    if (this.isStaged) {
      this.duelEnds.forEach(([atX, atY], i) => offer(NOBODY, i === 0 ? "start" : "goal", atX + 0.5, atY + 0.5, reach / 4));
      return best;
    }
    this.#places().forEach(([atX, atY], unit) => offer(unit, "unit", atX, atY, 0));
    if (this.chosen !== null && !this.chosen.isHunting) {
      this.chosen.ends.forEach(([atX, atY], i) => offer(this.chosen.number, i === 0 ? "start" : "goal", atX + 0.5, atY + 0.5, reach / 4));
    }
    return best;
  }

  /** Where each unit is now, within the world. */
  #places() {
    if (this.told === null) {
      return [];
    }
    const { width, height } = this.world;
    const { places } = this.told;
    return Array.from({ length: places.length / 4 }, (_, i) => [
      ((places[4 * i + 2] % width) + width) % width, ((places[4 * i + 3] % height) + height) % height]);
  }

  // ---- drawing

  /** Draw a frame. */
  draw(nowS) {
    if (this.world === null) {
      return;
    }
    if (this.#isGroundDirty || this.#arePathsDirty) {
      this.#within(this.pathsContext, (context, pane) => this.#drawPaths(context, nowS, pane));
      this.#arePathsDirty = false;
    }
    if (this.#isGroundDirty) {
      this.#drawGround();
      this.#isGroundDirty = false;
    }
    this.#within(this.context, (context) => this.#drawMarks(context, nowS));
  }

  /** Draw anew what a canvas shows, in cells, inside the world. */
  #within(context, draw) {
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, this.over.width, this.over.height);
    this.#eachPane(context, (pane, left, top) => {
      context.setTransform(this.scale, 0, 0, this.scale, this.#left + left, this.#top + top);
      context.beginPath();
      context.rect(0, 0, this.world.width, this.world.height);
      context.clip();
      draw(context, pane);
    });
  }

  /** Draw in each pane, and nowhere beside it. */
  #eachPane(context, draw) {
    const { width, height, corners } = this.#panes();
    corners.forEach(([left, top], pane) => {
      context.save();
      context.setTransform(1, 0, 0, 1, 0, 0);
      context.beginPath();
      context.rect(left, top, width, height);
      context.clip();
      draw(pane, left, top);
      context.restore();
    });
  }

  #place(context) {
    context.setTransform(this.scale, 0, 0, this.scale, this.#left, this.#top);
  }

  #drawGround() {
    const { groundContext: context, ground, world } = this;
    const colours = paletteOf(this.isDark);
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.fillStyle = this.isDark ? "#14171d" : "#f1efe9";
    context.fillRect(0, 0, ground.width, ground.height);
    this.#eachPane(context, (_, x, y) => {
      const [left, top] = [this.#left + x, this.#top + y];
      context.imageSmoothingEnabled = this.scale < this.#painter.size;
      context.drawImage(this.#painter.canvas, left, top, world.width * this.scale, world.height * this.scale);
      context.strokeStyle = colours.edge;
      context.setLineDash(world.wraps ? [6, 5] : []);
      context.strokeRect(left - 0.5, top - 0.5, world.width * this.scale + 1, world.height * this.scale + 1);
    });
  }

  /** A length in CSS pixels, in cells. */
  #pixels(count) {
    return (count * this.#ratio) / this.scale;
  }

  #drawMarks(context, nowS) {
    const told = this.told;
    const colours = paletteOf(this.isDark);
    if (told !== null && this.duel === null) {
      const spots = this.#spots(Math.min((nowS - this.#toldAt) / Math.max(told.seconds, 0.02), 1));
      this.#drawUnits(context, colours, spots, nowS);
      this.#drawChosen(context, colours, spots);
    }
    this.#drawTool(context, colours);
  }

  /** Where the units are in a share of the tick. */
  #spots(share) {
    const { places } = this.told;
    const spots = new Float32Array(places.length / 2);
    for (let i = 0; i < spots.length / 2; i++) {
      spots[2 * i] = places[4 * i] + (places[4 * i + 2] - places[4 * i]) * share;
      spots[2 * i + 1] = places[4 * i + 1] + (places[4 * i + 3] - places[4 * i + 1]) * share;
    }
    return spots;
  }

  /** The lines of all units, from where they are at the end of the tick, and their goals. */
  #drawPaths(context, nowS, pane) {
    const colours = paletteOf(this.isDark);
    if (this.duel !== null) {
      const { grabbed } = this;
      const ends = this.duelEnds.map((end, i) => (grabbed?.what === (i === 0 ? "start" : "goal") ? [grabbed.x - 0.5, grabbed.y - 0.5] : end));
      this.duel.draw(context, pane, this.isDark, (count) => this.#pixels(count), ends, colours);
      return;
    }
    if (this.told === null) {
      return;
    }
    this.searches?.draw(context, this.isDark, nowS);
    const { states, goals } = this.told;
    const spots = this.#spots(1);
    const isMany = states.length > 80;
    context.lineWidth = this.#pixels(isMany ? 1.1 : 1.5);
    context.strokeStyle = colours.path;
    context.globalAlpha = isMany ? colours.pathAlpha * 0.6 : colours.pathAlpha;
    states.forEach((state, unit) => { // each by itself: one path of all has so many edges that it takes longer
      context.beginPath();
      this.#line(context, unit, spots);
      context.stroke();
    });
    const dot = this.#sprites.of("goal", 1.8 * this.#ratio, 0, colours.goal, null);
    this.#stamp(context, dot, Array.from(states, (_, unit) => [goals[2 * unit] + 0.5, goals[2 * unit + 1] + 0.5]));
    this.#place(context);
    context.lineJoin = context.lineCap = "round";
    context.strokeStyle = colours.turned;
    for (const [unit, { turnedAt }] of this.#lines) {
      const age = nowS - turnedAt;
      if (age < FLASH_S && unit < states.length) {
        context.globalAlpha = 0.95 * (1 - age / FLASH_S);
        context.lineWidth = this.#pixels(2.2);
        context.beginPath();
        this.#line(context, unit, spots);
        context.stroke();
      }
    }
  }

  /** Add the rest of a unit's line to the path; on a torus as often as it crosses the world. */
  #line(context, unit, spots) {
    const entry = this.#lines.get(unit);
    if (entry === undefined || (this.told.states[unit] & 15) === LOST) {
      return;
    }
    const { width, height } = this.world;
    const { line, bounds } = entry;
    const ahead = 2 * this.told.ahead[unit];
    const add = (byX, byY) => {
      context.moveTo(spots[2 * unit] + byX, spots[2 * unit + 1] + byY);
      for (let i = ahead; i < line.length; i += 2) {
        context.lineTo(line[i] + 0.5 + byX, line[i + 1] + 0.5 + byY);
      }
    };
    if (bounds === null) {
      add(0, 0);
      return;
    }
    for (let column = Math.floor(bounds[0] / width); column <= Math.floor(bounds[2] / width); column++) {
      for (let row = Math.floor(bounds[1] / height); row <= Math.floor(bounds[3] / height); row++) {
        add(-column * width, -row * height);
      }
    }
  }

  #drawUnits(context, colours, spots, nowS) {
    const { states } = this.told;
    const { width, height } = this.world;
    const size = Math.max(Math.min(0.42, this.#pixels(7)), this.#pixels(2.8)) * this.scale;
    const groups = { unit: [], planned: [], letOff: [], lost: [], runner: [] };
    const isFresh = this.searches?.isFresh(nowS) ?? false;
    const walker = (unit) => (!isFresh ? "unit" : this.searches.isPlanned(unit, nowS) ? "planned" : "letOff");
    const cars = []; // those that drive: [x, y, unit]
    const groupOf = (state, unit) => ((state & 15) === LOST ? groups.lost : Number.isFinite(this.told.yaws[unit]) ? cars
      : groups[state & RUNNER_BIT ? "runner" : walker(unit)]);
    states.forEach((state, unit) => groupOf(state, unit).push([
      ((spots[2 * unit] % width) + width) % width, ((spots[2 * unit + 1] % height) + height) % height, unit]));
    const { free, lost, ring } = colours;
    const disc = (colour) => this.#sprites.of("unit", size, 1.4 * this.#ratio, colour, ring);
    this.#stamp(context, disc(colours.unit), groups.unit);
    this.#stamp(context, disc(traceColours(this.isDark).letOff), groups.letOff);
    this.#stamp(context, disc(colours.turned), groups.planned);
    this.#stamp(context, this.#sprites.of("lost", size, 2 * this.#ratio, free, lost), groups.lost);
    this.#stamp(context, this.#sprites.of("runner", size, 1.4 * this.#ratio, colours.runner, ring), groups.runner);
    this.#place(context);
    context.fillStyle = colours.unit;
    context.strokeStyle = ring;
    context.lineWidth = this.#pixels(1.4);
    for (const [x, y, unit] of cars) {
      context.beginPath();
      addBody(context, this.told.body, x, y, this.told.yaws[unit]);
      context.fill();
      context.stroke();
    }
  }

  /** What the body of a unit that drives will sweep. */
  #drawSwept(context, unit, colours) {
    const { line, yaws } = this.#lines.get(unit) ?? { yaws: null };
    if (yaws === null) {
      return;
    }
    const { body, ahead, states } = this.told;
    context.beginPath();
    for (let i = (states[unit] & 15) === LOST ? yaws.length : ahead[unit]; i < yaws.length; i++) {
      addBody(context, body, line[2 * i] + 0.5, line[2 * i + 1] + 0.5, yaws[i]);
    }
    context.fillStyle = colours.path;
    context.globalAlpha = 0.25;
    context.fill();
    context.globalAlpha = 1;
  }

  /** Draw a sprite with its middle on places of cells. The context counts device pixels then. */
  #stamp(context, sprite, places) {
    context.setTransform(1, 0, 0, 1, 0, 0);
    const half = sprite.width / 2;
    for (const [x, y] of places) {
      context.drawImage(sprite, this.#left + x * this.scale - half, this.#top + y * this.scale - half);
    }
  }

  #drawChosen(context, colours, spots) {
    const { chosen, grabbed } = this;
    const { width, height } = this.world;
    const radius = this.#pixels(7);
    if (this.whatIf !== null) {
      this.#drawWhatIf(context, colours, spots);
    }
    if (chosen === null) {
      return;
    }
    const why = chosen.state === STAYS ? null : this.why;
    const pixels = (count) => this.#pixels(count);
    if (why !== null) {
      drawOldPath(context, why.before, this.world, colours, pixels);
    }
    this.#drawSwept(context, chosen.number, colours);
    context.strokeStyle = colours.path;
    context.lineWidth = this.#pixels(2.6);
    context.beginPath();
    this.#line(context, chosen.number, spots);
    context.stroke();
    drawCauses(context, why?.causes ?? [], this.world, colours, pixels);
    context.strokeStyle = colours.path;
    context.fillStyle = colours.free;
    context.lineWidth = this.#pixels(2);
    if (!chosen.isHunting) {
      chosen.ends.forEach((end, i) => {
        const isGrabbed = grabbed !== null && grabbed.what === (i === 0 ? "start" : "goal");
        const [x, y] = isGrabbed ? [grabbed.x, grabbed.y] : [end[0] + 0.5, end[1] + 0.5];
        context.beginPath();
        context.arc(x, y, radius, 0, 2 * Math.PI);
        context.fill();
        context.stroke();
        if (i === 1) {
          context.fillStyle = colours.path;
          context.beginPath();
          context.arc(x, y, radius / 2.4, 0, 2 * Math.PI);
          context.fill();
        }
      });
    }
    const isGrabbed = grabbed !== null && grabbed.what === "unit";
    const x = isGrabbed ? grabbed.x : ((spots[2 * chosen.number] % width) + width) % width;
    const y = isGrabbed ? grabbed.y : ((spots[2 * chosen.number + 1] % height) + height) % height;
    context.beginPath();
    context.arc(x, y, this.#pixels(9), 0, 2 * Math.PI);
    context.stroke();
  }

  /** Who would lose the way (a cross), and who would pay more (a ring). */
  #drawWhatIf(context, colours, spots) {
    const { width, height } = this.world;
    context.strokeStyle = colours.turned;
    context.lineWidth = this.#pixels(2);
    context.beginPath();
    const radius = this.#pixels(7);
    for (const [unit, after] of this.whatIf.units) {
      const x = ((spots[2 * unit] % width) + width) % width;
      const y = ((spots[2 * unit + 1] % height) + height) % height;
      context.moveTo(x + radius, y);
      context.arc(x, y, radius, 0, 2 * Math.PI);
      if (after === null) {
        context.moveTo(x - radius, y - radius);
        context.lineTo(x + radius, y + radius);
        context.moveTo(x + radius, y - radius);
        context.lineTo(x - radius, y + radius);
      }
    }
    context.stroke();
  }

  #drawTool(context, colours) {
    if (this.cursor !== null) {
      const { x, y, width, height, isBuilding } = this.cursor;
      if (isBuilding) {
        context.globalAlpha = 0.75;
        context.fillStyle = colours.building;
        context.fillRect(x, y, width, height);
        context.globalAlpha = 1;
      }
      context.strokeStyle = colours.path;
      context.lineWidth = this.#pixels(1.5);
      context.strokeRect(x, y, width, height);
    }
  }

  /** The picture as it is seen, whole. @returns {Promise<Blob>} */
  picture() {
    const canvas = document.createElement("canvas");
    canvas.width = this.over.width;
    canvas.height = this.over.height;
    const context = canvas.getContext("2d");
    context.drawImage(this.ground, 0, 0);
    context.drawImage(this.paths, 0, 0);
    context.drawImage(this.over, 0, 0);
    return new Promise((done) => {
      canvas.toBlob(done, "image/png");
    });
  }
}

function boundsOf(line) {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i < line.length; i += 2) {
    [left, right] = [Math.min(left, line[i]), Math.max(right, line[i])];
    [top, bottom] = [Math.min(top, line[i + 1]), Math.max(bottom, line[i + 1])];
  }
  return [left, top, right, bottom];
}
