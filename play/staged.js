// A scene that goes on step by step in the world that the worker shows. No unit walks there.
import { SCENES, cellsIn, worldOf } from "./scenes.js";
import { initialSettings } from "./settings.js";

/** What a scene is opened as: a world and its settings. */
export function stageOf(name) {
  const script = SCENES.find((scene) => scene.name === name);
  const made = worldOf(script);
  return { script, made, settings: { ...initialSettings(made), units: 0, churn: 0, corners: script.neighbors === 8 } };
}

export class Staged {
  /** @param scene the Scene of the worker, whose world is the script's */
  constructor(scene, script) {
    Object.assign(this, { scene, script, step: 0, start: script.start, goal: script.goal });
  }

  /** The next step; the tick that comes next plans. @returns false after the last */
  next() {
    if (this.step + 1 >= this.script.steps.length) {
      return false;
    }
    this.step++;
    const { wall, free, start, goal } = this.script.steps[this.step];
    this.start = start ?? this.start;
    this.goal = goal ?? this.goal;
    this.scene.paint(cellsIn(wall), "wall", 0, `step ${this.step}`);
    this.scene.paint(cellsIn(free), "free", 0, `step ${this.step}`);
    return true;
  }

  /** Put the start or the goal on a cell. */
  move(what, cell) {
    this[what === "start" ? "start" : "goal"] = cell;
  }

  told() {
    return { name: this.script.name, step: this.step, start: this.start, goal: this.goal };
  }
}
