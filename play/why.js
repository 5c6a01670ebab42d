// Why an agent has another answer: the changes of the ground by version, held against its old and its new path.

const CELLS_MOST = 400000; // changed cells that are remembered
const VERSIONS_MOST = 4000;

/** Numbers of the cells in which two layers of the same size differ. */
function differingCells(before, after) {
  const cells = [];
  const whole = before.length >> 2;
  const [wordsBefore, wordsAfter] = [before, after].map(({ buffer, byteOffset }) => new Uint32Array(buffer, byteOffset, whole));
  const look = (from, end) => {
    for (let i = from; i < end; i++) {
      if (before[i] !== after[i]) {
        cells.push(i);
      }
    }
  };
  for (let i = 0; i < whole; i++) {
    if (wordsBefore[i] !== wordsAfter[i]) {
      look(4 * i, 4 * i + 4);
    }
  }
  look(4 * whole, before.length);
  return Uint32Array.from(cells);
}

/** One layer of factors, and by version what became of its cells: 0 blocks, greater is dearer. */
class Layer {
  #entries = []; // { version, cells, before }, the oldest first
  #count = 0;

  constructor(factors, version) {
    this.factors = factors;
    this.since = version; // changes after this version are known
    this.version = version;
  }

  /** The layer is so now. What changed since the last note belongs to the versions in between. */
  note(factors, version) {
    const cells = differingCells(this.factors, factors);
    if (cells.length > 0) {
      this.#entries.push({ version, cells, before: Uint8Array.from(cells, (cell) => this.factors[cell]) });
      this.#count += cells.length;
    }
    while (this.#count > CELLS_MOST || this.#entries.length > VERSIONS_MOST) {
      const { version: last, cells: { length } } = this.#entries.shift();
      this.#count -= length;
      this.since = last;
    }
    this.factors = factors;
    this.version = version;
  }

  /** By cell { before, after, version } for those that versions from + 1 to `to` changed; version: the last that did. */
  between(from, to) {
    const changes = new Map();
    const later = new Map(); // cells as they were after `to`
    for (let n = this.#entries.length - 1; n >= 0 && this.#entries[n].version > from; n--) {
      const { version, cells, before } = this.#entries[n];
      cells.forEach((cell, i) => {
        if (version > to) {
          later.set(cell, before[i]);
          return;
        }
        const change = changes.get(cell);
        changes.set(cell, { after: change?.after ?? later.get(cell) ?? this.factors[cell], version: change?.version ?? version, before: before[i] });
      });
    }
    return changes;
  }
}

const isCut = ({ after }) => after === 0;
const isCheaper = ({ before, after }) => after !== 0 && (before === 0 || after < before);
const isDearer = ({ before, after }) => before !== 0 && (after === 0 || after > before);

/** The cells that a line of cells (x, y, ..) needs: its own, and beside diagonal steps those that they squeeze between. */
function neededBy(line, numberOf) {
  const own = new Set();
  const beside = new Set();
  for (let i = 0; i < line.length; i += 2) {
    const [x, y] = [line[i], line[i + 1]];
    own.add(numberOf(x, y));
    if (i > 0 && x !== line[i - 2] && y !== line[i - 1]) {
      beside.add(numberOf(line[i - 2], y)).add(numberOf(x, line[i - 1]));
    }
  }
  return { own, beside };
}

export class Why {
  /**
   * @param seen factors as the agents' planners see them @param plain the same without a body
   * @param reach, blockReach cells around a changed one in which a body's factors change, and in which they block
   */
  constructor({ width, height, wraps, seen, plain, version, reach, blockReach }) {
    Object.assign(this, { width, height, wraps, reach, blockReach });
    this.seen = new Layer(seen, version);
    this.plain = new Layer(plain, version);
  }

  note(seen, plain, version) {
    this.seen.note(seen, version);
    this.plain.note(plain, version);
  }

  /** The version from which on changes are remembered. */
  get since() {
    return Math.max(this.seen.since, this.plain.since);
  }

  /**
   * What the versions from + 1 to `to` have to do with a turn from one line of cells to another.
   * Cells that cut the old line; without such ones those that became cheaper on the new line, or dearer on the old one.
   * @param isMoved the agent or its goal was moved: then a dearer cell of the old line proves nothing
   * @returns { kind: "cut" | "cheaper" | "dearer", version, cells, ground }, the newest first: `cells` are where the line
   *   meets it, `ground` are the cells of the world that changed. null: older than is remembered
   */
  causesOf({ before, after, from, to, isMoved }) {
    if (from < this.since) {
      return null;
    }
    const changes = this.seen.between(from, to);
    const [old, next] = [before, after].map((line) => neededBy(line, (x, y) => this.#numberOf(x, y)));
    const among = (cells, holds) => [...cells].filter((cell) => changes.has(cell) && holds(changes.get(cell)));
    const isNew = (cell) => !old.own.has(cell);
    const cut = [...among(old.own, isCut), ...among(old.beside, isCut).filter(isNew)];
    const found = cut.length > 0 ? [["cut", cut]] : [
      ["cheaper", [...among(next.own, isCheaper).filter(isNew),
        ...among(next.beside, ({ before: was }) => was === 0).filter((cell) => !next.own.has(cell) && isNew(cell) && !old.beside.has(cell))]],
      ["dearer", isMoved ? [] : among(old.own, isDearer).filter((cell) => !next.own.has(cell))],
    ];
    const ground = this.plain.between(from, to);
    return found.flatMap(([kind, cells]) => this.#byVersion(kind, cells, changes, ground));
  }

  /** What a line cost in a version that is remembered, as planners count it. A way out of blocked cells costs nothing. */
  costBefore(line, version) {
    const changes = this.seen.between(version, Infinity);
    const factorAt = (i) => {
      const cell = this.#numberOf(line[i], line[i + 1]);
      return changes.get(cell)?.before ?? this.seen.factors[cell];
    };
    let cost = 0;
    for (let i = 2; i < line.length; i += 2) {
      const isDiagonal = line[i] !== line[i - 2] && line[i + 1] !== line[i - 1];
      const [from, to] = [factorAt(i - 2), factorAt(i)];
      cost += from === 0 || to === 0 ? 0 : ((from + to) / 2) * (isDiagonal ? Math.SQRT2 : 1);
    }
    return cost;
  }

  /** The number of a cell, which on a torus may lie beyond the edge. */
  #numberOf(x, y) {
    const { width, height } = this;
    return (((y % height) + height) % height) * width + (((x % width) + width) % width);
  }

  /** Changes of the world that a body feels on these cells, by version: an obstacle's all around, that of terrain where it is. */
  #byVersion(kind, cells, changes, ground) {
    const isSuch = { cut: isCut, cheaper: isCheaper, dearer: isDearer }[kind];
    const feltOf = ([cell, change]) => {
      const reach = kind === "cut" ? this.blockReach : change.before === 0 || change.after === 0 ? this.reach : 0;
      return isSuch(change) ? cells.filter((other) => this.#distance(cell, other) <= reach + 1e-9) : [];
    };
    const groups = new Map(cells.map((cell) => [changes.get(cell).version, { own: new Set(), ground: [] }]));
    cells.forEach((cell) => groups.get(changes.get(cell).version).own.add(cell));
    for (const entry of ground) {
      const felt = feltOf(entry);
      const [cell, { version }] = entry;
      if (felt.length > 0) {
        const group = groups.get(version) ?? { own: new Set(), ground: [] };
        groups.set(version, group);
        group.ground.push(cell);
        felt.forEach((other) => group.own.add(other));
      }
    }
    return [...groups].sort(([a], [b]) => b - a).map(([version, { own, ground: list }]) => ({ kind, version, cells: [...own], ground: list }));
  }

  /** Cells between the middles of two. */
  #distance(a, b) {
    const apart = (from, to, side) => (this.wraps ? Math.min(Math.abs(from - to), side - Math.abs(from - to)) : Math.abs(from - to));
    return Math.hypot(apart(a % this.width, b % this.width, this.width), apart(Math.floor(a / this.width), Math.floor(b / this.width), this.height));
  }
}
