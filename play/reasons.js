// The chosen unit in words: its last answers, and why each of them was another one.
import { byId, figureOf, make } from "./dom.js";

const REASONS = {
  first: "first path", invalid: "its path was no longer right", cheaper: "another way is cheaper", aged: "its path was old, another way is cheaper",
  goal: "another goal", off_path: "it left its path", reached: "it got there",
};
const OUTCOMES = {
  none: "no answer yet", found: "on its way", no_path: "no way leads there", partial: "as near as it can get",
  start_blocked: "stands in something", goal_blocked: "its goal is built over", outside: "outside the map",
  target_lost: "lost its target", arrived: "there",
};
const MOVES = { goal: "it got another goal", pose: "it was put elsewhere", prey: "its target moved" };
const KINDS = {
  cut: (places) => `a change cut the path at ${places}`,
  cheaper: (places) => `its new way became free or cheaper at ${places}`,
  dearer: (places) => `its old way became dearer at ${places}`,
};

const placesOf = ([first, ...rest], width) => `(${first % width}, ${Math.floor(first / width)})`
  + (rest.length === 0 ? "" : rest.length === 1 ? " and another cell" : ` and ${figureOf(rest.length)} more cells`);

/** Why an answer is another one, in words. @param since the version from which on changes are remembered */
export function reasonOf({ isFirst, reason, causes, moves, from, version: told, outcome }, width, since) {
  if (isFirst) {
    return REASONS.first;
  }
  if (causes === null) {
    return `the change came after version ${from}; what came before version ${since + 1} is no longer remembered`;
  }
  const when = (version) => (version === told ? "" : ` in version ${version}`);
  const parts = [...causes.map(({ kind, version, cells }) => KINDS[kind](placesOf(cells, width)) + when(version)),
    ...moves.map((move) => MOVES[move])];
  return parts.join("; ") || (outcome === "arrived" ? REASONS.reached : REASONS[reason]);
}

const NARROW = "(max-width: 860px)"; // as in style.css

const hasPath = ({ cost }) => cost !== null;

/** What an answer changed: "+3.2" to what was left of the path before, or the cells that it took. */
function changeOf({ cost, costBefore, expansions }) {
  const change = cost === null || costBefore === null ? 0 : cost - costBefore;
  return Math.abs(change) < 0.05 ? `${figureOf(expansions, 0)} cells` : `${change > 0 ? "+" : "\u2212"}${figureOf(Math.abs(change))}`;
}

let shownBefore = "";
let shown = { number: -1, pathSeq: null }; // whose answer is marked on the map; null: the newest

/** The answer whose causes are marked on the map; null: there is none. */
export const markedOf = (chosen) => chosen?.said.find(({ pathSeq }) => pathSeq === shown.pathSeq) ?? chosen?.said[0] ?? null;

/** Show the chosen unit, or that there is none. @param width of the world */
export function showUnit(chosen, width) {
  const box = byId("told");
  byId("unit").querySelector(".hint").hidden = chosen !== null;
  box.hidden = chosen === null;
  if (chosen === null) {
    shown = { number: -1, pathSeq: null };
    return;
  }
  const isOther = chosen.number !== shown.number;
  if (isOther) {
    shown = { number: chosen.number, pathSeq: null };
  }
  const { outcome, cost, steps, planner, said, since, keeps, number } = chosen;
  const text = `${number} ${said[0]?.pathSeq} ${said.at(-1)?.pathSeq} ${outcome} ${steps} ${keeps} ${markedOf(chosen)?.pathSeq}`;
  if (text === shownBefore) {
    return;
  }
  shownBefore = text;
  const figure = (title, value) => [make("dt", {}, title), make("dd", {}, value)];
  const list = said.map((entry) => make("li", { "data-reason": hasPath(entry) ? entry.reason : "invalid" }, make("button", {
    "aria-pressed": String(entry === markedOf(chosen)), title: `versions ${entry.from} to ${entry.version}, ${figureOf(entry.expansions, 0)} cells expanded`,
    click: () => {
      shown.pathSeq = entry.pathSeq;
      showUnit(chosen, width);
    },
  }, make("b", {}, `v ${entry.version}`), make("span", {}, (hasPath(entry) ? "" : `${OUTCOMES[entry.outcome]}: `) + reasonOf(entry, width, since)),
  make("span", {}, changeOf(entry)))));
  const kept = keeps > 0.005 ? ` Another way is cheaper by ${figureOf(keeps, 2)}; it keeps its own until the gain is large enough.` : "";
  box.replaceChildren(
    make("dl", {}, ...figure("state", OUTCOMES[outcome] ?? outcome), ...figure("cost", cost === null ? "\u2013" : figureOf(cost)),
      ...figure("steps left", String(steps))),
    make("p", { class: "hint" }, `Planned by ${planner || "nobody yet"}.${kept}`),
    make("ol", { "aria-label": "Why it turned, the newest first" }, ...list));
  if (isOther && !matchMedia(NARROW).matches) { // on a phone the map would go from sight
    byId("unit").scrollIntoView({ block: "nearest" });
  }
}
