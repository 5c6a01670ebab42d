// Worlds that a seed decides. None of them is read from anywhere.
import { BUILDING, FREE, TREES, UNKNOWN, WALL, WATER } from "./ground.js";
import { randomOf, wholeOf } from "./random.js";

/** Bytes with a pen. What lies outside is not drawn. */
export class Sheet {
  constructor(width, height, byte) {
    Object.assign(this, { width, height, data: new Uint8Array(width * height).fill(byte) });
  }

  at(x, y) {
    return this.data[y * this.width + x];
  }

  fill(x, y, width, height, byte) {
    const right = Math.min(x + width, this.width);
    for (let row = Math.max(y, 0); row < Math.min(y + height, this.height); row++) {
      if (right > Math.max(x, 0)) {
        this.data.fill(byte, row * this.width + Math.max(x, 0), row * this.width + right);
      }
    }
  }

  frame(x, y, width, height, byte) {
    this.fill(x, y, width, 1, byte);
    this.fill(x, y + height - 1, width, 1, byte);
    this.fill(x, y, 1, height, byte);
    this.fill(x + width - 1, y, 1, height, byte);
  }

  /** Write every cell by a function of its place; undefined leaves it. */
  each(byteAt) {
    for (let y = 0; y < this.height; y++) {
      for (let x = 0; x < this.width; x++) {
        this.data[y * this.width + x] = byteAt(x, y) ?? this.at(x, y);
      }
    }
  }
}

/** Smooth noise of [0, 1] whose hills are `scale` cells wide. */
function noiseOf(random, width, height, scale) {
  const columns = Math.ceil(width / scale) + 2;
  const knots = Float64Array.from({ length: columns * (Math.ceil(height / scale) + 2) }, () => random());
  const ease = (t) => t * t * (3 - 2 * t);
  return (x, y) => {
    const [column, row] = [Math.floor(x / scale), Math.floor(y / scale)];
    const [s, t] = [ease(x / scale - column), ease(y / scale - row)];
    const knot = row * columns + column;
    const above = knots[knot] * (1 - s) + knots[knot + 1] * s;
    const below = knots[knot + columns] * (1 - s) + knots[knot + columns + 1] * s;
    return above * (1 - t) + below * t;
  };
}

function empty() {
  return new Sheet(160, 120, FREE);
}

/** Lakes with swamp around them, woods, and roads between clearings. */
function wilds(random) {
  const sheet = new Sheet(160, 120, FREE);
  const { width, height } = sheet;
  const [broad, fine, wood, leaf] = [34, 11, 26, 6].map((scale) => noiseOf(random, width, height, scale));
  sheet.each((x, y) => {
    const wet = 0.72 * broad(x, y) + 0.28 * fine(x, y);
    if (wet < 0.3) {
      return WATER;
    }
    const dense = 0.65 * wood(x, y) + 0.35 * leaf(x, y);
    if (dense > 0.6) {
      return TREES;
    }
    return wet < 0.36 ? 8 : dense > 0.54 ? 2 : wet < 0.4 ? 4 : FREE;
  });
  const camps = Array.from({ length: 7 }, (_, i) => [
    wholeOf(random, 8, width / 4 - 12) + (i % 4) * Math.floor(width / 4),
    wholeOf(random, 8, height / 2 - 12) + Math.floor(i / 4) * Math.floor(height / 2),
  ]);
  camps.forEach(([x, y], i) => {
    const [toX, toY] = camps[(i + 1) % camps.length];
    sheet.fill(Math.min(x, toX), y, Math.abs(toX - x) + 2, 2, FREE);
    sheet.fill(toX, Math.min(y, toY), 2, Math.abs(toY - y) + 2, FREE);
  });
  camps.forEach(([x, y]) => {
    sheet.fill(x - 5, y - 4, 12, 10, FREE);
    sheet.fill(x - 3, y - 2, 3, 3, BUILDING);
    sheet.fill(x + 2, y + 2, 4, 2, BUILDING);
  });
  return sheet;
}

/** Corridors two cells wide; one wall in eight is open, so that there are other ways. */
function maze(random) {
  const [columns, rows] = [53, 40];
  const sheet = new Sheet(3 * columns + 1, 3 * rows + 1, WALL);
  const seen = new Uint8Array(columns * rows);
  const sides = [[1, 0], [0, 1], [-1, 0], [0, -1]];
  const open = (x, y, [dx, dy]) => sheet.fill(3 * x + 1 + Math.min(dx, 0), 3 * y + 1 + Math.min(dy, 0), 2 + Math.abs(dx),
    2 + Math.abs(dy), FREE);
  const stack = [[0, 0]];
  seen[0] = 1;
  while (stack.length > 0) {
    const [x, y] = stack[stack.length - 1];
    const ways = sides.filter(([dx, dy]) => x + dx >= 0 && x + dx < columns && y + dy >= 0 && y + dy < rows
      && seen[(y + dy) * columns + x + dx] === 0);
    if (ways.length === 0) {
      stack.pop();
    } else {
      const way = ways[wholeOf(random, 0, ways.length - 1)];
      open(x, y, way);
      seen[(y + way[1]) * columns + x + way[0]] = 1;
      stack.push([x + way[0], y + way[1]]);
    }
  }
  for (let i = 0; i < (columns * rows) / 8; i++) {
    open(wholeOf(random, 1, columns - 2), wholeOf(random, 1, rows - 2), sides[wholeOf(random, 0, 3)]);
  }
  return sheet;
}

/** Rooms cut out of rooms, with a door or two in every wall. */
function rooms(random) {
  const sheet = new Sheet(161, 121, FREE);
  const doors = [];
  const cut = (x, y, width, height) => {
    const [isWide, least] = [width > height * (0.8 + 0.4 * random()), 9];
    const length = isWide ? width : height;
    if (length < 2 * least + 1 || (length < 34 && random() < 0.15)) {
      return;
    }
    const at = wholeOf(random, least, length - least - 1);
    const across = isWide ? height : width;
    sheet.fill(isWide ? x + at : x, isWide ? y : y + at, isWide ? 1 : across, isWide ? across : 1, WALL);
    for (let i = 0; i <= across / 26; i++) {
      const door = wholeOf(random, 1, across - 4);
      doors.push(isWide ? [x + at, y + door, 1, 3] : [x + door, y + at, 3, 1]);
    }
    if (isWide) {
      cut(x, y, at, height);
      cut(x + at + 1, y, width - at - 1, height);
    } else {
      cut(x, y, width, at);
      cut(x, y + at + 1, width, height - at - 1);
    }
  };
  cut(1, 1, sheet.width - 2, sheet.height - 2);
  doors.forEach(([x, y, width, height]) => sheet.fill(x, y, width, height, FREE));
  sheet.frame(0, 0, sheet.width, sheet.height, WALL);
  return sheet;
}

/** Blocks of houses with yards, parks, avenues, and a river with bridges. */
function city(random) {
  const sheet = new Sheet(160, 120, FREE);
  const { width, height } = sheet;
  const bend = noiseOf(random, width, 4, 40);
  const middle = (x) => Math.round(height * 0.5 + (bend(x, 1) - 0.5) * height * 0.5);
  const columns = streets(random, width);
  for (const [y, h] of streets(random, height)) {
    for (const [x, w] of columns) {
      const reach = Array.from({ length: w }, (_, i) => middle(x + i));
      const [shore, other] = [Math.min(...reach) - 6, Math.max(...reach) + 7]; // no house stands between
      if (y + h <= shore || y >= other) {
        block(sheet, random, x, y, w, h);
      } else if (shore - y >= 4) {
        house(sheet, x, y, w, shore - y);
      } else if (y + h - other >= 4) {
        house(sheet, x, other, w, y + h - other);
      }
    }
  }
  for (let x = 0; x < width; x++) {
    sheet.fill(x, middle(x) - 3, 1, 7, WATER);
  }
  columns.filter((_, i) => i % 2 === 0).forEach(([x]) => sheet.fill(x - 3, middle(x - 2) - 9, 3, 18, FREE));
  return sheet;
}

/** Where the blocks along a side lie: [place, size] of each, with a broad street before every third. */
function streets(random, length) {
  const list = [];
  for (let at = 0, i = 0; at < length; i++) {
    const [lane, size] = [i % 3 === 0 ? 4 : 2, wholeOf(random, 10, 17)];
    list.push([at + lane, Math.min(size, length - at - lane - 2)]);
    at += lane + size;
  }
  return list.filter(([, size]) => size > 4);
}

function house(sheet, x, y, width, height) {
  sheet.fill(x, y, width, height, BUILDING);
  if (width >= 9 && height >= 9) {
    sheet.fill(x + 3, y + 3, width - 6, height - 6, 2);
    sheet.fill(x + Math.floor(width / 2) - 1, y, 2, 3, FREE);
  }
}

/** A park, one house, or two. */
function block(sheet, random, x, y, width, height) {
  const kind = random();
  if (kind < 0.16) {
    sheet.fill(x, y, width, height, 2);
    for (let i = 0; i < (width * height) / 10; i++) {
      sheet.fill(wholeOf(random, x + 1, x + width - 2), wholeOf(random, y + 1, y + height - 2), 1, 1, TREES);
    }
  } else if (kind < 0.5) {
    house(sheet, x, y, width, height);
  } else {
    const half = Math.floor((width - 1) / 2);
    house(sheet, x, y, half, height);
    house(sheet, x + half + 1, y, width - half - 1, kind < 0.7 ? height : Math.ceil(height * (0.5 + 0.3 * random())));
  }
}

/** A floor as a robot's costmap holds it: walls, doors, furniture, and unknown outside. */
function floor(random) {
  const sheet = new Sheet(200, 150, UNKNOWN);
  const [solid, clear] = [254, 0];
  sheet.fill(4, 4, 192, 142, clear);
  sheet.frame(5, 5, 190, 140, solid);
  sheet.frame(6, 6, 188, 138, solid);
  sheet.frame(4, 4, 192, 142, UNKNOWN);
  const walls = [];
  for (const [top, bottom] of [[7, 58], [92, 143]]) {
    for (let x = 7; x < 193;) {
      const width = Math.min(wholeOf(random, 26, 44), 193 - x);
      const isLast = 193 - x - width < 26;
      const right = isLast ? 193 : x + width;
      sheet.fill(right, top, isLast ? 0 : 2, bottom - top, solid);
      const wall = top === 7 ? bottom : top - 2;
      sheet.fill(x, wall, right - x + (isLast ? 0 : 2), 2, solid);
      walls.push([x + wholeOf(random, 3, right - x - 17), wall]);
      furnish(sheet, random, x, top, right - x, bottom - top);
      x = right + (isLast ? 100 : 2);
    }
  }
  walls.forEach(([x, y]) => sheet.fill(x, y, 14, 2, clear));
  for (const x of [50, 100, 150]) {
    sheet.fill(x - 2, 73, 4, 4, solid);
  }
  return sheet;
}

/** Tables, shelves and chairs of a room. */
function furnish(sheet, random, x, y, width, height) {
  for (let i = 0; i < 4; i++) {
    const [w, h] = random() < 0.5 ? [wholeOf(random, 7, 11), 4] : [4, wholeOf(random, 7, 11)];
    const [left, top] = [wholeOf(random, x + 3, x + width - w - 3), wholeOf(random, y + 12, y + height - h - 12)];
    sheet.fill(left, top, w, h, 254);
    sheet.fill(left - 3, top + 1, 1, 1, 254);
    sheet.fill(left + w + 2, top + 1, 1, 1, 254);
  }
}

/** A yard with bays along its walls and in two rows, open at one end, and a hall with a gate. */
function yard(random) {
  const sheet = new Sheet(120, 80, FREE);
  const bays = (x, y, count, depth) => {
    for (let i = 0; i <= count; i++) {
      sheet.fill(x + 7 * i, y, 1, depth, WALL);
    }
    for (let i = 0; i < count; i++) {
      if (random() < 0.4) {
        sheet.fill(x + 7 * i + 2, y + 1, 4, depth - 2, BUILDING); // it is taken
      }
    }
  };
  sheet.frame(0, 0, 120, 80, WALL);
  bays(4, 1, 12, 9);
  bays(4, 70, 12, 9);
  for (const y of [22, 49]) {
    bays(12, y, 9, 9);
    sheet.fill(12, y + (y === 22 ? 8 : 0), 64, 1, WALL);
  }
  sheet.fill(94, 24, 22, 1, BUILDING);
  sheet.fill(94, 56, 22, 1, BUILDING);
  sheet.fill(94, 24, 1, 33, BUILDING);
  sheet.fill(94, wholeOf(random, 28, 42), 1, 10, FREE);
  return sheet;
}

const MAKERS = {
  empty: { title: "Empty", make: empty },
  wilds: { title: "Woods and lakes", make: wilds },
  maze: { title: "Maze", make: maze },
  rooms: { title: "Rooms", make: rooms },
  city: { title: "City", make: city },
  costmap: { title: "Costmap of a robot", make: floor, profile: "costmap", resolution: 0.05, radius: 3, inflation: 9 },
  yard: { title: "Yard, for what drives", make: yard, radius: 1, settings: { units: 8, churn: 1, turning: 4, reverse: true } },
};

/** Names and titles of the worlds that makeWorld() makes. */
export const WORLDS = Object.entries(MAKERS).map(([name, { title }]) => ({ name, title }));

/** A world. Radius and inflation of its agents are in cells. */
export function makeWorld(name, seed) {
  const { title, make, profile = "play", resolution = 1, radius = 0, inflation = 0, settings = {} } = MAKERS[name];
  const { width, height, data } = make(randomOf(seed));
  return { name, title, width, height, data, profile, resolution, radius, inflation, settings };
}
