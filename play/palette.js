// Colours of the map. Blue and orange are told apart by everybody; ground differs in lightness and pattern, too.

const LIGHT = {
  free: "#fbfaf7", grid: "#efede7", edge: "#d8d5cc", shade: "#e6e3db",
  wall: "#4a5463", wallTop: "#5d6878", wallFoot: "#394250",
  building: "#8a8f99", buildingTop: "#a2a7b0", buildingFoot: "#6b717c",
  barrier: "#f0dcc6", barrierMark: "#b9783a",
  water: "#c9dae6", waterMark: "#a9c2d4", trees: "#c3d0bd", treesMark: "#92a889",
  terrain: ["#f1ead6", "#e6d8b4", "#d3bd8c"], terrainMark: ["#dfd3b2", "#c6b07c", "#a98f58"],
  unknown: "#ecebe7", unknownMark: "#dddbd5", margin: "#e9dfe6", marginMark: "#c8aebf", near: [201, 174, 191],
  path: "#1c5fc4", turned: "#d9660f", unit: "#1c3f7a", ring: "#ffffff", lost: "#b3480a", goal: "#1c5fc4", runner: "#c2540a",
  pathAlpha: 0.38,
};
const DARK = {
  free: "#171b21", grid: "#1d222a", edge: "#2b323d", shade: "#101318",
  wall: "#566174", wallTop: "#6a768a", wallFoot: "#414a5a",
  building: "#3d4552", buildingTop: "#4d5664", buildingFoot: "#2c333e",
  barrier: "#3d2f20", barrierMark: "#c98a4b",
  water: "#1a3042", waterMark: "#29475f", trees: "#22302a", treesMark: "#3b5346",
  terrain: ["#2a281f", "#403827", "#5f5132"], terrainMark: ["#48412e", "#665a3b", "#917e52"],
  unknown: "#1d2025", unknownMark: "#272b32", margin: "#2c2430", marginMark: "#553f54", near: [98, 70, 96],
  path: "#6ea8ff", turned: "#ffa04d", unit: "#cfe1ff", ring: "#171b21", lost: "#ff9b45", goal: "#6ea8ff", runner: "#ffb066",
  pathAlpha: 0.5,
};

export const paletteOf = (isDark) => (isDark ? DARK : LIGHT);

/** A colour "#rrggbb" as a pixel of an ImageData seen as 32 bits (little endian, as everywhere that WebAssembly is). */
export const pixelOf = (colour) => {
  const value = parseInt(colour.slice(1), 16);
  return (0xff000000 | ((value & 255) << 16) | (value & 0xff00) | (value >> 16)) >>> 0;
};
