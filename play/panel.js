// The panel beside the map: settings, the chosen unit, two planners, legend, figures.
import { byId, figureOf, make } from "./dom.js";
import { Painter } from "./paint.js";
import { paletteOf } from "./palette.js";
import { SETTINGS, SWITCHES } from "./settings.js";
import { BARRIER, BUILDING, TREES, WALL, WATER } from "./ground.js";

const REASONS = {
  first: "first path", invalid: "a change cut the path", cheaper: "a cheaper way opened", aged: "looked again",
  goal: "the goal moved", off_path: "it left the path", reached: "it got there",
};
const OUTCOMES = {
  none: "no answer yet", found: "on its way", no_path: "no way leads there", partial: "as near as it can get",
  start_blocked: "stands in something", goal_blocked: "its goal is built over", outside: "outside the map",
  target_lost: "lost its target", arrived: "there",
};

/** Sliders and switches for the settings. @param change called with a name and a value */
export class Settings {
  #inputs = {};

  constructor(change) {
    for (const [name, { least, most, title }] of Object.entries(SETTINGS)) {
      const output = make("output", { for: name });
      const input = make("input", {
        id: name, type: "range", min: least, max: most, "aria-label": title,
        input: () => this.#write(name, Number(input.value)), change: () => change(name, Number(input.value)),
      });
      this.#inputs[name] = { input, output, least, most };
      byId("sliders").append(make("label", { class: "row" }, make("span", {}, title), output, input));
    }
    for (const [name, title] of Object.entries(SWITCHES)) {
      const input = make("input", { id: name, type: "checkbox", change: () => change(name, input.checked) });
      this.#inputs[name] = { input };
      byId("switches").append(make("label", { class: "row switch" }, make("span", {}, title), input));
    }
    const planner = byId("planner");
    planner.addEventListener("change", () => change("planner", planner.value));
    this.#inputs.planner = { input: planner };
  }

  #write(name, value) {
    const { input, output, least, most } = this.#inputs[name];
    input.value = value;
    output.textContent = name === "radius" || name === "inflation" ? `${value} cells` : String(value);
    input.style.setProperty("--share", `${(100 * (value - least)) / (most - least)}%`);
  }

  show(settings) {
    for (const [name, value] of Object.entries(settings)) {
      if (name in SETTINGS) {
        this.#write(name, value);
      } else if (typeof value === "boolean") {
        this.#inputs[name].input.checked = value;
      } else {
        this.#inputs[name].input.value = value;
      }
    }
  }
}

/** Fill the lists of planners. */
export function listPlanners(planners) {
  for (const [id, chosen] of [["planner", "auto"], ["rival0", "astar"], ["rival1", "fsa"]]) {
    const list = byId(id);
    list.replaceChildren(...planners.map((planner) => make("option", { value: planner.id, title: `${planner.paper}: ${planner.guarantee}` }, planner.id)));
    list.value = planners.some((planner) => planner.id === chosen) ? chosen : planners[0].id;
  }
}

// ---- the chosen unit

let toldBefore = "";

export function showUnit(chosen, nowMs) {
  const box = byId("told");
  byId("unit").querySelector(".hint").hidden = chosen !== null;
  box.hidden = chosen === null;
  const text = JSON.stringify(chosen?.said) + chosen?.outcome + chosen?.steps;
  if (chosen === null || text === toldBefore) {
    return;
  }
  toldBefore = text;
  const { outcome, cost, steps, planner, said, cut } = chosen;
  const figure = (title, value) => [make("dt", {}, title), make("dd", {}, value)];
  const list = said.slice(0, 6).map((entry, i) => {
    const before = said.slice(i + 1).find((other) => other.cost !== null)?.cost;
    const change = entry.cost !== null && before != null && entry.reason !== "goal" ? entry.cost - before : null;
    const isLost = entry.cost === null;
    const text = isLost ? OUTCOMES[entry.outcome] ?? entry.outcome : REASONS[entry.reason] ?? entry.reason;
    const figures = change === null || Math.abs(change) < 0.05 ? `${figureOf(entry.expansions, 0)} cells`
      : `${change > 0 ? "+" : "\u2212"}${figureOf(Math.abs(change))}`;
    return make("li", { "data-reason": isLost ? "invalid" : entry.reason, title: `${figureOf(entry.expansions, 0)} cells expanded` },
      make("span", {}, text), make("span", {}, figures));
  });
  box.replaceChildren(
    make("dl", {}, ...figure("state", OUTCOMES[outcome] ?? outcome), ...figure("cost", cost === null ? "\u2013" : figureOf(cost)),
      ...figure("steps left", String(steps))),
    make("p", { class: "hint" }, `Planned by ${planner || "nobody yet"}.${cut.length > 0 ? " Crosses: where its last path was cut." : ""}`),
    make("ol", { "aria-label": "Why it turned, the newest first" }, ...list));
}

// ---- two planners

export function showRivals(told) {
  const kinds = [["expanded", "cells expanded, mean of the last updates", 0], ["ms", "milliseconds, mean of the last updates", 2]];
  byId("bars").replaceChildren(...kinds.flatMap(([kind, title, digits]) => {
    const most = Math.max(...told.planners.map((planner) => planner[kind]), 1e-9);
    return [make("dt", {}, title), ...told.planners.map((planner, i) => {
      const bar = make("i");
      bar.style.width = `${Math.max((100 * planner[kind]) / most, 1)}%`;
      return make("dd", i === 1 ? { class: "second" } : {}, make("span", {}, planner.id), make("span", {}, bar),
        make("span", {}, figureOf(planner[kind], digits)));
    })];
  }));
  byId("agree").textContent = told.updates === 0 ? "Waiting for a change .."
    : `${figureOf(told.updates)} updates; their costs were equal in ${told.equal === told.updates ? "all of them" : figureOf(told.equal)}.`;
}

// ---- legend

/** Bytes of the profile "play" that a legend shows. */
const GROUND = [["wall", WALL], ["building", BUILDING], ["water", WATER], ["trees", TREES], ["passing change", BARRIER],
  ["dear, \u00d72", 2], ["dearer, \u00d74", 4], ["dearest, \u00d78", 8]];

/** A swatch of some bytes. */
function swatch(byte, isDark, isMargin = false) {
  const painter = new Painter();
  const bytes = new Uint8Array(9).fill(byte);
  const factors = new Uint8Array(9).fill(isMargin ? 0 : 1);
  painter.paint({ width: 3, height: 3, profile: "play", bytes, factors }, 15, isDark, isMargin);
  return painter.canvas;
}

/** A swatch of what is drawn over the ground. */
function sign(draw, isDark) {
  const canvas = make("canvas", { width: 44, height: 44 });
  const context = canvas.getContext("2d");
  const colours = paletteOf(isDark);
  context.fillStyle = colours.free;
  context.fillRect(0, 0, 44, 44);
  context.lineCap = "round";
  draw(context, colours);
  return canvas;
}

const disc = (context, radius) => {
  context.beginPath();
  context.arc(22, 22, radius, 0, 2 * Math.PI);
};
const stroke = (context, colour, width, points) => {
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.beginPath();
  points.forEach(([x, y], i) => (i % 2 === 0 ? context.moveTo(x, y) : context.lineTo(x, y)));
  context.stroke();
};
const SIGNS = [
  ["unit", (context, colours) => {
    disc(context, 9);
    context.fillStyle = colours.unit;
    context.fill();
  }],
  ["path", (context, colours) => stroke(context, colours.path, 4, [[6, 34], [38, 10]])],
  ["turned path", (context, colours) => stroke(context, colours.turned, 6, [[6, 34], [38, 10]])],
  ["lost its way", (context, colours) => {
    disc(context, 9);
    context.strokeStyle = colours.lost;
    context.lineWidth = 5;
    context.stroke();
  }],
  ["moving target", (context, colours) => {
    context.translate(22, 22);
    context.rotate(Math.PI / 4);
    context.fillStyle = colours.runner;
    context.fillRect(-9, -9, 18, 18);
  }],
  ["cut here", (context, colours) => stroke(context, colours.turned, 5, [[12, 12], [32, 32], [32, 12], [12, 32]])],
];

export function showLegend(isDark) {
  const entries = [...SIGNS.map(([title, draw]) => [title, sign(draw, isDark)]),
    ...GROUND.map(([title, byte]) => [title, swatch(byte, isDark)]), ["too narrow", swatch(1, isDark, true)]];
  byId("legend").replaceChildren(...entries.map(([title, canvas]) => make("li", {}, canvas, title)));
}
