// Why did it turn? Two hundred staged cases. What caused a turn is found here by trying each changed cell alone, on the
// ground as it was and as it became; the page's own reasoning (play/why.js) is not used for it.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import test from "node:test";

import { costOf } from "./oracle.mjs";

globalThis.replanEngine = createRequire(import.meta.url)("../../build/wasm/traced/replan-engine.cjs");
const replan = await globalThis.replanEngine.load();
const { randomOf, wholeOf } = await import("../../play/random.js");
const { reasonOf } = await import("../../play/reasons.js");
const { Scene } = await import("../../play/scene.js");
const { initialSettings } = await import("../../play/settings.js");

const [WIDTH, HEIGHT] = [26, 18];
const [WALL, FREE] = [0, 1];

/** Factors of the bytes: 0 and 240 to 254 block, also what a blocked cell's middle is within the radius of. */
function factorsOf(bytes, radius, wraps) {
  const blocks = (x, y) => {
    const byte = bytes[((y + HEIGHT) % HEIGHT) * WIDTH + ((x + WIDTH) % WIDTH)];
    return byte === 0 || (byte >= 240 && byte < 255);
  };
  return Uint8Array.from(bytes, (byte, cell) => {
    const [x, y] = [cell % WIDTH, Math.floor(cell / WIDTH)];
    for (let dy = -radius; dy <= radius; dy++) {
      for (let dx = -radius; dx <= radius; dx++) {
        const isInside = wraps || (x + dx >= 0 && x + dx < WIDTH && y + dy >= 0 && y + dy < HEIGHT);
        if (isInside && dx * dx + dy * dy <= radius * radius && blocks(x + dx, y + dy)) {
          return 0;
        }
      }
    }
    return byte === 255 ? 1 : byte;
  });
}

/** What a path costs, cell by cell; Infinity when a step is illegal. */
function walked(path, factors) {
  const at = ([x, y]) => factors[y * WIDTH + x];
  let cost = path.length > 0 && at(path[0]) === 0 ? Infinity : 0;
  for (let i = 1; i < path.length; i++) {
    const [from, to] = [path[i - 1], path[i]];
    const isDiagonal = from[0] !== to[0] && from[1] !== to[1];
    const isIllegal = at(to) === 0 || (isDiagonal && (at([from[0], to[1]]) === 0 || at([to[0], from[1]]) === 0));
    cost += isIllegal ? Infinity : ((at(from) + at(to)) / 2) * (isDiagonal ? Math.SQRT2 : 1);
  }
  return cost;
}

class Stage {
  constructor(seed, settings) {
    this.random = randomOf(seed);
    const data = new Uint8Array(WIDTH * HEIGHT).fill(FREE);
    for (let i = 0; i < data.length; i++) {
      const kind = this.random();
      data[i] = kind < 0.1 ? WALL : kind < 0.2 ? wholeOf(this.random, 2, 6) : FREE;
    }
    const made = { name: "map", title: "staged", width: WIDTH, height: HEIGHT, data, profile: "play", resolution: 1 };
    this.settings = { ...initialSettings(made), units: 1, churn: 0, speed: 1, ...settings };
    this.scene = new Scene(replan, made, data.slice(), this.settings, seed);
    this.nowMs = 0;
    [this.unit] = this.scene.traffic.units;
    this.scene.choose(0);
    this.journal = []; // [cell, version]
  }

  get factors() {
    return factorsOf(this.scene.world.snapshot(), this.settings.radius, this.settings.torus);
  }

  run(ticks) {
    for (let i = 0; i < ticks; i++) {
      this.told = this.scene.tick(0.05, this.nowMs += 50).chosen;
    }
  }

  /** Stand on a cell and go to another one, with a path between them. @returns false: this world has none */
  begin() {
    const factors = this.factors;
    for (let i = 0; i < 60; i++) {
      const [start, goal] = [this.cell(), this.cell()];
      const cost = costOf(factors, WIDTH, HEIGHT, this.settings.torus, this.settings.corners ? 8 : 4, start, goal);
      if (cost > 9) {
        this.scene.move(0, "unit", start);
        this.scene.move(0, "goal", goal);
        this.run(2);
        this.remember();
        return true;
      }
    }
    return false;
  }

  cell() {
    return [wholeOf(this.random, 0, WIDTH - 1), wholeOf(this.random, 0, HEIGHT - 1)];
  }

  /** Some free cells that are none of these. */
  decoys(count, others) {
    return Array.from({ length: count }, () => this.cell()).map(([x, y]) => y * WIDTH + x).filter((cell) => !others.includes(cell));
  }

  /** The state that the next turn is held against. */
  remember() {
    const { traffic } = this.scene;
    this.before = {
      bytes: this.scene.world.snapshot(), pathSeq: this.told.said[0].pathSeq,
      path: this.told.said[0].cost === null ? [traffic.inside(this.unit.cell)] : this.left(),
      hasPath: this.told.said[0].cost !== null, goal: traffic.inside(this.unit.goal),
    };
    this.journal = [];
    this.states = [[this.scene.world.version, this.before.bytes]];
  }

  /** The bytes of the world in a version. */
  bytesAt(version) {
    return this.states.findLast(([written]) => written <= version)[1];
  }

  /** What is left of the path, from the cell that the engine knows the unit on. */
  left() {
    const { line, step } = this.unit;
    return Array.from({ length: line.length / 2 - step }, (_, i) => this.scene.traffic.inside([line[2 * (step + i)], line[2 * (step + i) + 1]]));
  }

  /** Write these cells in one version. */
  write(cells, byte) {
    const bytes = this.scene.world.snapshot();
    const others = [...new Set(cells)].filter((cell) => bytes[cell] !== byte);
    if (others.length > 0) {
      this.scene.world.setCells(others.map((cell) => [cell % WIDTH, Math.floor(cell / WIDTH)]), byte);
      this.scene.traffic.look();
      const blocks = (value) => value === 0 || value >= 240;
      this.states.push([this.scene.world.version, this.scene.world.snapshot()]);
      others.filter((cell) => !blocks(bytes[cell]) || !blocks(byte)).forEach((cell) => this.journal.push([cell, this.scene.world.version]));
    }
  }

  /** What caused the newest turn, by trying each changed cell alone. @returns by kind a Map cell -> version */
  truth(isMoved) {
    const { radius, torus } = this.settings;
    const { from } = this.told.said[0];
    const [was, is] = [this.bytesAt(from), this.scene.world.snapshot()];
    this.#checkHeld(was);
    const [old, next] = [this.before.path, this.told.said[0].cost === null ? [] : this.unit.answer.path];
    const versions = new Map(this.journal.filter(([, version]) => version > from));
    const changed = [...versions.keys()].filter((cell) => was[cell] !== is[cell]);
    const costs = (path, bytes) => walked(path, factorsOf(bytes, radius, torus));
    const one = (bytes, cell, byte) => bytes.map((value, i) => (i === cell ? byte : value));
    const those = (holds) => new Map(changed.filter(holds).map((cell) => [cell, versions.get(cell)]));
    const cut = those((cell) => costs(old, one(was, cell, is[cell])) === Infinity && costs(old, was) < Infinity);
    const feels = (path, cell) => {
      const [with_, without] = [costs(path, is), costs(path, one(is, cell, was[cell]))];
      return without > with_ ? "cheaper" : without < with_ ? "dearer" : "same";
    };
    const oldFeels = (cell) => {
      const [with_, without] = [costs(old, one(was, cell, is[cell])), costs(old, was)];
      return without > with_ ? "cheaper" : without < with_ ? "dearer" : "same";
    };
    return cut.size > 0 ? { cut } : {
      cheaper: those((cell) => feels(next, cell) === "cheaper" && oldFeels(cell) === "same"),
      dearer: isMoved ? new Map() : those((cell) => oldFeels(cell) === "dearer" && feels(next, cell) === "same"),
    };
  }

  /** The answer before was right up to there: its path was legal, and none was cheaper, or there was none. */
  #checkHeld(bytes) {
    const { radius, torus, corners } = this.settings;
    const { path, hasPath, goal } = this.before;
    const factors = factorsOf(bytes, radius, torus);
    const best = costOf(factors, WIDTH, HEIGHT, torus, corners ? 8 : 4, path[0], goal);
    assert.ok(hasPath ? Math.abs(walked(path, factors) - best) < 1e-6 : best === null, "the path was right until then");
  }

  /** Hold the newest answer against the truth. @returns the kinds that it had */
  check(label, moves = []) {
    const [entry] = this.told.said;
    assert.ok(entry.pathSeq > this.before.pathSeq, `${label}: there is another answer`);
    assert.deepEqual([...entry.moves].sort(), [...moves].sort(), label);
    const truth = this.truth(moves.length > 0);
    const was = moves.length > 0 || !this.before.hasPath ? null : walked(this.before.path, factorsOf(this.bytesAt(entry.from), this.settings.radius, this.settings.torus));
    assert.ok(was === null ? entry.costBefore === null : Math.abs(entry.costBefore - was) < 1e-6, `${label}: ${entry.costBefore} before, not ${was}`);
    const told = {};
    for (const { kind, version, ground, cells } of entry.causes) {
      assert.ok(cells.length > 0, label);
      ground.forEach((cell) => (told[kind] ??= new Map()).set(cell, version));
    }
    const text = reasonOf(entry, WIDTH, this.told.since);
    for (const kind of ["cut", "cheaper", "dearer"]) {
      const [is, right] = [told, truth].map((all) => [...(all[kind] ?? [])].sort(([a], [b]) => a - b));
      assert.deepEqual(is, right, `${label}: ${kind}; told: ${text}`);
      right.forEach(([, version]) => assert.ok(version === entry.version || text.includes(`in version ${version}`), `${label}: ${text}`));
    }
    return Object.entries(truth).filter(([, { size }]) => size > 0).map(([kind]) => kind);
  }

  /** A cell of the path ahead, as a number. */
  ahead() {
    const [x, y] = this.before.path[wholeOf(this.random, 2, this.before.path.length - 2)];
    return y * WIDTH + x;
  }

  /** A blocked cell without which the path would be cheaper by more than a share; null: there is none. */
  opener(share, most = Infinity) {
    const { torus, corners, radius } = this.settings;
    const bytes = this.scene.world.snapshot();
    const factors = factorsOf(bytes, radius, torus);
    const kept = walked(this.left(), factors);
    for (let i = 0; i < 300; i++) {
      const [x, y] = this.cell();
      const cell = y * WIDTH + x;
      if (bytes[cell] === WALL) {
        const cost = costOf(factorsOf(bytes.map((byte, j) => (j === cell ? FREE : byte)), radius, torus), WIDTH, HEIGHT, torus,
          corners ? 8 : 4, this.left()[0], this.left().at(-1));
        if (cost !== null && cost < kept * (1 - share) - 1e-6 && cost >= kept * (1 - most)) {
          return cell;
        }
      }
    }
    return null;
  }

  close() {
    this.scene.close();
  }
}

// ---- the kinds of case; each gives the kinds of cause that it met, or null when its world does not offer it

const KINDS = {
  "a cut, decoys in the same version": (stage) => {
    const cell = stage.ahead();
    stage.write([cell, ...stage.decoys(12, [])], WALL);
    stage.run(2);
    return stage.check("cut");
  },
  "two cuts in two versions, decoys in others": (stage) => {
    const [first, second] = [stage.ahead(), stage.ahead()];
    stage.write(stage.decoys(4, [first, second]), WALL);
    stage.write([first], WALL);
    stage.write(stage.decoys(4, [first, second]), 5);
    stage.write([second, ...stage.decoys(2, [])], 241);
    stage.run(2);
    return stage.check("two cuts");
  },
  "a corner that a diagonal step needs": (stage) => {
    const { path } = stage.before;
    const i = path.findIndex(([x, y], j) => j > 2 && x !== path[j - 1][0] && y !== path[j - 1][1]);
    if (i < 0) {
      return null;
    }
    stage.write([path[i - 1][1] * WIDTH + path[i][0], ...stage.decoys(5, path.map(([x, y]) => y * WIDTH + x))], WALL);
    stage.run(2);
    return stage.told.said[0].pathSeq > stage.before.pathSeq ? stage.check("corner") : null;
  },
  "what came and went, and a cut": (stage) => {
    const [first, second] = [stage.ahead(), stage.ahead()];
    if (first === second) {
      return null;
    }
    const byte = stage.before.bytes[first];
    stage.write([second, first], 9);
    stage.write([first], WALL);
    stage.write([second], WALL);
    stage.write([first], byte);
    stage.run(2);
    return stage.check("came and went");
  },
  "a way that opened, decoys in the same version": (stage) => {
    const cell = stage.opener(0);
    if (cell === null) {
      return null;
    }
    stage.write([cell, ...stage.decoys(3, stage.before.path.map(([x, y]) => y * WIDTH + x))], FREE);
    stage.run(2);
    return stage.check("opened");
  },
  "terrain on its path": (stage) => {
    const cells = [stage.ahead(), stage.ahead(), stage.ahead()];
    stage.write([...cells, ...stage.decoys(8, [])], 120);
    stage.run(2);
    return stage.told.said[0].pathSeq > stage.before.pathSeq ? stage.check("terrain") : null;
  },
  "a cut and a way that opened at once": (stage) => {
    const cell = stage.opener(0);
    if (cell === null) {
      return null;
    }
    stage.write([cell], FREE);
    stage.write([stage.ahead()], WALL);
    stage.run(2);
    return stage.check("cut and opened");
  },
  "a shape that is put, and expires": (stage) => {
    const cell = stage.ahead();
    const [x, y] = [cell % WIDTH, Math.floor(cell / WIDTH)];
    const expect = () => {
      const bytes = stage.scene.world.snapshot();
      stage.states.push([stage.scene.world.version, bytes]);
      bytes.forEach((byte, i) => byte !== stage.before.bytes[i] && stage.journal.push([i, stage.scene.world.version]));
    };
    stage.scene.world.putDisc(7, x + 0.5, y + 0.5, 1.4, WALL, { ttlMs: 400 });
    stage.scene.traffic.look();
    expect();
    stage.run(2);
    const kinds = stage.check("put");
    stage.remember();
    const decoys = stage.decoys(4, stage.before.path.map(([a, b]) => b * WIDTH + a));
    stage.run(10);
    const before = stage.before.bytes;
    assert.ok(stage.scene.world.snapshot().some((byte, i) => byte !== before[i]), "it expired");
    expect();
    stage.write(decoys, FREE);
    return stage.told.said[0].pathSeq > stage.before.pathSeq ? ["expired", ...kinds, ...stage.check("expired")] : null;
  },
  "a path that its policy keeps, until the gain is large enough": (stage) => {
    const small = stage.opener(0, 0.2);
    if (small === null) {
      return null;
    }
    stage.write([small, ...stage.decoys(2, stage.before.path.map(([x, y]) => y * WIDTH + x))], FREE);
    stage.run(2);
    if (stage.told.said[0].pathSeq > stage.before.pathSeq) {
      return null; // the decoys opened a large gain
    }
    const left = stage.left();
    const kept = walked(left, stage.factors);
    const best = costOf(stage.factors, WIDTH, HEIGHT, stage.settings.torus, stage.settings.corners ? 8 : 4, left[0], left.at(-1));
    assert.ok(Math.abs(stage.told.keeps - (kept - best)) < 1e-3, `keeps ${stage.told.keeps}, by Dijkstra ${kept - best}`);
    for (let i = 0; i < 12 && stage.told.said[0].pathSeq === stage.before.pathSeq; i++) {
      stage.write([stage.ahead()], 100); // its own way becomes dear
      stage.run(2);
    }
    return stage.told.said[0].pathSeq > stage.before.pathSeq ? ["kept", ...stage.check("kept")] : null;
  },
  "a goal that is walled in, and let out": (stage) => {
    const [goalX, goalY] = stage.before.path.at(-1);
    const around = [-1, 0, 1].flatMap((dy) => [-1, 0, 1].map((dx) => [goalX + dx, goalY + dy]))
      .filter(([x, y]) => (x !== goalX || y !== goalY) && x >= 0 && y >= 0 && x < WIDTH && y < HEIGHT).map(([x, y]) => y * WIDTH + x);
    stage.write([...around, ...stage.decoys(5, [])], WALL);
    stage.run(2);
    const kinds = stage.check("walled in");
    assert.ok(stage.told.said[0].cost === null);
    stage.remember();
    around.filter((_, i) => i % 2 === 0).forEach((cell) => stage.write([cell, ...stage.decoys(1, [])], FREE));
    stage.run(2);
    return stage.told.said[0].cost === null ? null : ["walled in", ...kinds, ...stage.check("let out")];
  },
  "it was put elsewhere, decoys": (stage) => {
    stage.write(stage.decoys(4, stage.before.path.map(([x, y]) => y * WIDTH + x)), WALL);
    const place = stage.cell();
    if (stage.factors[place[1] * WIDTH + place[0]] === 0 || stage.before.path.some(([x, y]) => Math.hypot(x - place[0], y - place[1]) < 2)) {
      return null;
    }
    stage.scene.move(0, "unit", place);
    stage.run(2);
    return ["pose", ...stage.check("pose", ["pose"])];
  },
  "another goal, decoys": (stage) => {
    stage.write(stage.decoys(6, stage.before.path.map(([x, y]) => y * WIDTH + x)), WALL);
    const place = stage.cell();
    if (stage.factors[place[1] * WIDTH + place[0]] === 0 || stage.left().some(([x, y]) => x === place[0] && y === place[1])) {
      return null;
    }
    stage.scene.move(0, "goal", place);
    stage.run(2);
    return ["goal", ...stage.check("goal", ["goal"])];
  },
  "another goal and a cut at once": (stage) => {
    const cell = stage.ahead();
    const place = stage.cell();
    stage.write([cell], WALL);
    if (stage.factors[place[1] * WIDTH + place[0]] === 0) {
      return null;
    }
    stage.scene.move(0, "goal", place);
    stage.run(2);
    return ["goal", ...stage.check("goal and cut", ["goal"])];
  },
};

for (const [n, [title, play]] of Object.entries(KINDS).entries()) {
  test(`why: ${title}`, () => {
    const met = new Map();
    let cases = 0;
    for (let seed = 1000 * n; cases < 20 && seed < 1000 * n + 600; seed++) {
      const random = randomOf(seed);
      const stage = new Stage(seed, {
        torus: random() < 0.3, corners: random() < 0.7, radius: random() < 0.25 ? 1 : 0, gain: title.includes("policy") ? 30 : 0,
      });
      const kinds = stage.begin() ? play(stage) : null;
      cases += kinds === null ? 0 : 1;
      kinds?.forEach((kind) => met.set(kind, (met.get(kind) ?? 0) + 1));
      stage.close();
    }
    console.log(`  ${cases} cases: ${[...met].map(([kind, count]) => `${kind} ${count}`).join(", ")}`);
    assert.equal(cases, 20);
    assert.ok(met.size > 0);
  });
}

test("the last answers stay told, each with its own cause", () => {
  const stage = new Stage(77, {});
  assert.ok(stage.begin());
  const told = [];
  for (let i = 0; i < 12; i++) {
    stage.write([stage.ahead()], i % 3 === 2 ? 90 : WALL);
    stage.run(2);
    const [entry] = stage.told.said;
    if (entry.pathSeq > stage.before.pathSeq) {
      stage.check(`answer ${i}`);
      told.unshift(structuredClone(entry));
    }
    stage.remember();
    if (stage.before.path.length < 5) {
      break;
    }
  }
  assert.ok(told.length > 3, `${told.length} answers`);
  assert.deepEqual(structuredClone(stage.told.said.slice(0, Math.min(told.length, 7))), told.slice(0, 7));
  assert.ok(stage.told.said.length <= 8);
  stage.close();
});

test("a cause that is older than what is remembered is told to be so", () => {
  const stage = new Stage(78, {});
  assert.ok(stage.begin());
  const cell = stage.ahead();
  stage.write([cell], WALL);
  const others = stage.decoys(50, stage.before.path.map(([x, y]) => y * WIDTH + x));
  for (let i = 0; i < 4200; i++) {
    stage.write([others[i % others.length]], i % 2 === 0 ? 7 : 8);
    stage.write([others[i % others.length]], i % 2 === 0 ? 8 : 7);
  }
  stage.run(2);
  const [entry] = stage.told.said;
  assert.equal(entry.causes, null);
  assert.ok(entry.from < stage.told.since);
  assert.match(reasonOf(entry, WIDTH, stage.told.since), /no longer remembered/);
  stage.remember();
  stage.write([stage.ahead()], WALL);
  stage.run(2);
  assert.deepEqual(stage.check("the next one is known again"), ["cut"]);
  stage.close();
});
