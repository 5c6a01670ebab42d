// The ground as pixels: each cell a square of `size` pixels, drawn again only where it changed.
import { BARRIER, BUILDING, TREES, UNKNOWN, WALL, WATER, isBlocked, unitOf } from "./ground.js";
import { paletteOf, pixelOf } from "./palette.js";

const CELLS_ONE_BY_ONE = 600; // more changed cells than these are drawn as one box

export class Painter {
  constructor() {
    this.canvas = document.createElement("canvas");
    this.context = this.canvas.getContext("2d");
    this.size = 1;
  }

  /** Paint a world anew. @param world width, height, profile, bytes, factors */
  paint(world, size, isDark, showsMargin) {
    Object.assign(this, { world, size, showsMargin });
    this.colours = Object.fromEntries(Object.entries(paletteOf(isDark)).map(([name, value]) => [name,
      typeof value === "string" ? pixelOf(value) : Array.isArray(value) && typeof value[0] === "string" ? value.map(pixelOf) : value]));
    this.canvas.width = world.width * size;
    this.canvas.height = world.height * size;
    this.#box(0, 0, world.width, world.height);
  }

  /** Paint cells that changed, and those beside them, on which they cast a shadow. */
  change(cells) {
    const { width } = this.world;
    if (cells.length <= CELLS_ONE_BY_ONE) {
      cells.forEach((cell) => this.#box((cell % width) - 1, Math.floor(cell / width) - 1, 3, 3));
      return;
    }
    let [left, top, right, bottom] = [Infinity, Infinity, 0, 0];
    cells.forEach((cell) => {
      const [x, y] = [cell % width, Math.floor(cell / width)];
      [left, top, right, bottom] = [Math.min(left, x), Math.min(top, y), Math.max(right, x), Math.max(bottom, y)];
    });
    this.#box(left - 1, top - 1, right - left + 3, bottom - top + 3);
  }

  #box(x, y, width, height) {
    const { world, size } = this;
    const left = Math.max(x, 0);
    const top = Math.max(y, 0);
    const columns = Math.min(x + width, world.width) - left;
    const rows = Math.min(y + height, world.height) - top;
    if (columns <= 0 || rows <= 0) {
      return;
    }
    const image = this.context.createImageData(columns * size, rows * size);
    const pixels = new Uint32Array(image.data.buffer);
    const stride = columns * size;
    for (let row = 0; row < rows; row++) {
      for (let column = 0; column < columns; column++) {
        this.#cell(pixels, row * size * stride + column * size, stride, left + column, top + row);
      }
    }
    this.context.putImageData(image, left * size, top * size);
  }

  /** What a cell looks like: "free", "wall", .. or "terrain" with a level from 0. */
  #kind(x, y) {
    const { profile, bytes, width } = this.world;
    return kindOf(profile, bytes[y * width + x]);
  }

  #cell(pixels, place, stride, x, y) {
    const { size, colours, world } = this;
    const kind = this.#kind(x, y);
    const base = kind.level === undefined ? colours[kind.name] : colours.terrain[kind.level];
    const plain = size < 4 ? colours : null;
    const factor = world.factors[y * world.width + x];
    const isMargin = this.showsMargin && !kind.blocks && factor === 0;
    const pattern = plain !== null ? null : isMargin ? PATTERNS.margin : PATTERNS[kind.name];
    let ground = isMargin ? colours.margin : base;
    if (this.showsMargin && !isMargin && !kind.blocks && kind.level === undefined) {
      ground = this.#near(base, factor);
    }
    const mark = isMargin ? colours.marginMark : kind.level === undefined ? colours[`${kind.name}Mark`] ?? base : colours.terrainMark[kind.level];
    for (let j = 0; j < size; j++) {
      for (let i = 0; i < size; i++) {
        pixels[place + j * stride + i] = pattern && pattern(x * size + i, y * size + j, size, kind.level) ? mark : ground;
      }
    }
    if (plain === null) {
      this.#relief(pixels, place, stride, x, y, kind, ground);
    }
  }

  /** Ground near an obstacle, whose factor inflation raised. */
  #near(base, factor) {
    const unit = unitOf(this.world.profile);
    const share = Math.min((factor - unit) / (unit * 4), 0.8);
    if (share <= 0) {
      return base;
    }
    const mix = (shift, to) => Math.round(((base >> shift) & 255) * (1 - share) + to * share) << shift;
    const [red, green, blue] = this.colours.near;
    return (0xff000000 | mix(16, blue) | mix(8, green) | mix(0, red)) >>> 0;
  }

  /** Edges of what stands, shadows below it, and a line every ten cells. */
  #relief(pixels, place, stride, x, y, kind, ground) {
    const { size, colours, world } = this;
    const isSame = (column, row) => column >= 0 && row >= 0 && column < world.width && row < world.height
      && this.#kind(column, row).name === kind.name;
    const line = (row, colour) => pixels.fill(colour, place + row * stride, place + row * stride + size);
    const column = (at, colour) => {
      for (let j = 0; j < size; j++) {
        pixels[place + j * stride + at] = colour;
      }
    };
    if (kind.stands) {
      if (!isSame(x - 1, y)) {
        column(0, colours[`${kind.name}Foot`]);
      }
      if (!isSame(x + 1, y)) {
        column(size - 1, colours[`${kind.name}Foot`]);
      }
      if (!isSame(x, y - 1)) {
        line(0, colours[`${kind.name}Top`]);
      }
      if (!isSame(x, y + 1)) {
        line(size - 1, colours[`${kind.name}Foot`]);
      }
      return;
    }
    if (kind.name === "free" && ground === colours.free) {
      if (x % 10 === 0 && x > 0) {
        column(0, colours.grid);
      }
      if (y % 10 === 0 && y > 0) {
        line(0, colours.grid);
      }
    }
    if (!kind.blocks && y > 0 && this.#kind(x, y - 1).stands) {
      line(0, colours.shade);
      if (size > 7) {
        line(1, colours.shade);
      }
    }
  }
}

const KINDS = {
  free: { name: "free" }, wall: { name: "wall", blocks: true, stands: true },
  building: { name: "building", blocks: true, stands: true }, water: { name: "water", blocks: true },
  trees: { name: "trees", blocks: true }, barrier: { name: "barrier", blocks: true }, unknown: { name: "unknown" },
  terrain: [0, 1, 2].map((level) => ({ name: "terrain", level })),
};
const PLAY_KINDS = { [WALL]: "wall", [WATER]: "water", [TREES]: "trees", [BUILDING]: "building", [BARRIER]: "barrier" };

export function kindOf(profile, byte) {
  if (byte === UNKNOWN) {
    return KINDS.unknown;
  }
  if (isBlocked(profile, byte)) {
    return KINDS[profile === "play" ? PLAY_KINDS[byte] ?? "wall" : "wall"];
  }
  const steps = profile === "costmap" ? [1, 100, 180] : [2, 3, 6];
  const level = byte >= steps[2] ? 2 : byte >= steps[1] ? 1 : byte >= steps[0] ? 0 : -1;
  return level < 0 ? KINDS.free : KINDS.terrain[level];
}

/** Which pixels of a kind are marked, by their place on the whole picture. */
const PATTERNS = {
  water: (x, y, size) => y % size === size >> 1 && (x + 2 * Math.floor(y / size) * size / 2) % (2 * size) < size,
  trees: (x, y, size) => {
    const [dx, dy] = [(x % size) - (size - 1) / 2, (y % size) - (size - 1) / 2];
    return dx * dx + dy * dy < (size * size) / 9;
  },
  barrier: (x, y, size) => (x + y) % size < size / 2.4,
  unknown: (x, y, size) => (Math.floor(x / size) + Math.floor(y / size)) % 2 === 0,
  margin: (x, y) => (x + y) % 5 === 0,
  terrain: (x, y, size, level) => {
    const half = size >> 1;
    const [column, row] = [Math.floor(x / size), Math.floor(y / size)];
    const isDot = x % size >= half - 1 && x % size <= half && y % size >= half - 1 && y % size <= half;
    return isDot && (level === 2 || (level === 1 ? (column + row) % 2 === 0 : column % 2 === 0 && row % 2 === 0));
  },
};
