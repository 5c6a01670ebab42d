// What a person can set, with limits. The sliders, the links and the worker all go by this table.

export const SETTINGS = {
  units: { least: 1, most: 200, initial: 60, title: "Units" },
  churn: { least: 0, most: 60, initial: 6, title: "Changes a second" },
  speed: { least: 1, most: 30, initial: 8, title: "Cells a second" },
  radius: { least: 0, most: 6, initial: 0, title: "Body radius" },
  inflation: { least: 0, most: 20, initial: 0, title: "Inflation" },
  gain: { least: 0, most: 50, initial: 0, title: "Turns when cheaper by" },
  turning: { least: 0, most: 12, initial: 0, title: "Turning radius" },
};
export const SWITCHES = { chase: "Moving targets", torus: "Torus", corners: "Eight neighbours", reverse: "Drives backwards, too" };
export const SWITCHED = { chase: false, torus: false, corners: true, reverse: false };

export const SEED_MOST = 999999;
/** Cells of a world in the page. The engine in WebAssembly would take 67 million; the picture would not. */
export const CELLS_MOST = 1 << 20;
export const FILE_BYTES_MOST = 32 << 20;
export const SIDE_MOST = 16384;

/** The settings that a world begins with. */
export function initialSettings(world) {
  const values = Object.fromEntries(Object.entries(SETTINGS).map(([name, { initial }]) => [name, initial]));
  return { ...values, ...SWITCHED, planner: "auto", radius: world?.radius ?? 0, inflation: world?.inflation ?? 0, ...world?.settings };
}
