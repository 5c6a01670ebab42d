// The panel beside the map: settings, two planners, legend, figures. reasons.js has the chosen unit.
import { byId, figureOf, make } from "./dom.js";
import { addMark, markColour } from "./marks.js";
import { Painter } from "./paint.js";
import { paletteOf } from "./palette.js";
import { traceColours } from "./duel.js";
import { SETTINGS, SWITCHES } from "./settings.js";
import { BARRIER, BUILDING, TREES, WALL, WATER } from "./ground.js";

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
    const unit = { radius: " cells", inflation: " cells", gain: " %", turning: " cells" }[name] ?? "";
    output.textContent = value + unit;
    input.style.setProperty("--share", `${(100 * (value - least)) / (most - least)}%`);
  }

  /** @param profile of the world: costs are inflated in a costmap only */
  show(settings, profile) {
    for (const [name, value] of Object.entries(settings)) {
      if (name in SETTINGS) {
        this.#write(name, value);
      } else if (typeof value === "boolean") {
        this.#inputs[name].input.checked = value;
      } else {
        this.#inputs[name].input.value = value;
      }
    }
    const { input, output } = this.#inputs.inflation;
    input.disabled = profile !== "costmap";
    if (input.disabled) {
      this.#write("inflation", 0);
      output.textContent = "in a costmap";
    }
  }
}

/** Fill the lists of planners. */
export function listPlanners(planners) {
  for (const [id, chosen] of [["planner", "auto"], ["rival0", "astar"], ["rival1", "fsa"]]) {
    const list = byId(id);
    list.replaceChildren(...planners.map((planner) => make("option", { value: planner.id, title: `${planner.paper}: ${planner.guarantee}` }, planner.id)));
    list.append(...(id === "rival1" ? [make("option", { value: "" }, "none")] : []));
    list.value = planners.some((planner) => planner.id === chosen) ? chosen : planners[0].id;
  }
}

// ---- two planners

/** @param isStaged  a scene: the last plans count, not the means of many */
export function showRivals(told, isStaged) {
  const of = isStaged ? "" : ", mean of the last updates";
  const kinds = [
    [`cells expanded${of}`, 0, ({ expanded, last }) => (isStaged ? last?.counted ?? 0 : expanded)],
    ["cells reused by the last plan", 0, ({ last }) => last?.reused ?? 0],
    [`milliseconds${of}`, 3, ({ ms, last }) => (isStaged ? last?.ms ?? 0 : ms)],
  ];
  byId("bars").replaceChildren(...kinds.flatMap(([title, digits, valueOf]) => {
    const most = Math.max(...told.planners.map(valueOf), 1e-9);
    return [make("dt", {}, title), ...told.planners.map((planner, i) => {
      const bar = make("i");
      bar.style.width = `${Math.max((100 * valueOf(planner)) / most, 1)}%`;
      return make("dd", i === 1 ? { class: "second" } : {}, make("span", {}, planner.id), make("span", {}, bar),
        make("span", {}, figureOf(valueOf(planner), digits)));
    })];
  }));
  const lasts = told.planners.filter(({ last }) => last !== null);
  const words = lasts.filter(({ last }) => last.levels > 0)
    .map(({ id, last }) => ` ${id} searches 64 cells at a time: ${figureOf(last.reached, 0)} cells in ${figureOf(last.levels, 0)} levels, and what it counts are words.`);
  byId("agree").textContent = told.updates === 0 ? "Waiting for a change .."
    : `${figureOf(told.updates)} ${told.updates === 1 ? "update" : "updates"}; ${told.planners.length < 2 ? "its cost is" : "their costs were equal in"} ${
      told.planners.length < 2 ? figureOf(lasts[0]?.last.cost ?? 0) : told.equal === told.updates ? "all of them" : figureOf(told.equal)}.${words.join("")}`;
}

/** The slider through a search. */
export function showSeek(duel) {
  const input = byId("seek");
  const most = duel?.most ?? 0;
  input.max = most;
  input.value = duel?.step ?? 0;
  input.style.setProperty("--share", `${most === 0 ? 100 : (100 * duel.step) / most}%`);
  byId("at").textContent = most === 0 ? "nothing searched" : `${figureOf(duel.step, 0)} of ${figureOf(most, 0)}${duel.isHeld ? ", held" : ""}`;
}

/** What a scene says at its step; null: no scene. */
export function showCaption(script, step, lasts) {
  const isOn = script !== null && lasts.length > 0 && lasts.every((last) => last !== null);
  byId("caption").hidden = byId("stepper").hidden = !isOn;
  if (isOn) {
    byId("caption").textContent = script.steps[step].say(...lasts);
    byId("stepOf").textContent = `step ${step + 1} of ${script.steps.length}`;
    byId("stepOf").hidden = byId("next").hidden = script.steps.length === 1;
    byId("next").textContent = step + 1 < script.steps.length ? "Next change" : "Again";
  }
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
const sketch = (context, kind, colours) => {
  context.strokeStyle = markColour(kind, colours);
  context.lineWidth = 5;
  context.beginPath();
  addMark(context, kind, 22, 22, 11);
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
  ["cut here", (context, colours) => sketch(context, "cut", colours)],
  ["opened here", (context, colours) => sketch(context, "cheaper", colours)],
  ["dearer here", (context, colours) => sketch(context, "dearer", colours)],
];

/** What happened to cells in a search, and to units. */
function traceEntries(isDark) {
  const { expanded, again, reused, raised, levels, letOff } = traceColours(isDark);
  const { turned } = paletteOf(isDark);
  const square = ([red, green, blue, alpha]) => (context) => {
    context.fillStyle = `rgba(${red}, ${green}, ${blue}, ${alpha / 255})`;
    context.fillRect(0, 0, 44, 44);
  };
  const stripes = (context) => levels.forEach(([red, green, blue, alpha], i) => {
    context.fillStyle = `rgba(${red}, ${green}, ${blue}, ${alpha / 255})`;
    context.fillRect(22 * i, 0, 22, 44);
  });
  const dot = (colour) => (context) => {
    disc(context, 9);
    context.fillStyle = colour;
    context.fill();
  };
  const list = (entries) => entries.map(([title, draw]) => [title, sign(draw, isDark)]);
  return {
    cells: list([["expanded", square(expanded)], ["expanded again", square(again)], ["reused", square(reused)], ["taken back", square(raised)], ["levels of words", stripes]]),
    units: list([["new answer now", dot(turned)], ["let off now", dot(letOff)]]),
  };
}

export function showLegend(isDark) {
  const { cells, units } = traceEntries(isDark);
  const show = (list, entries) => list.replaceChildren(...entries.map(([title, canvas]) => make("li", {}, canvas, title)));
  const entries = [...units, ...SIGNS.map(([title, draw]) => [title, sign(draw, isDark)]),
    ...GROUND.map(([title, byte]) => [title, swatch(byte, isDark)]), ["too narrow", swatch(1, isDark, true)]];
  show(byId("legend"), entries);
  show(byId("key"), cells);
}
