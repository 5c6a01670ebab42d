// What a byte of the page's worlds means. Both threads use it.

/** Bytes of the profile "play": cost factors, and some ways to block that look different. */
export const WALL = 0;
export const FREE = 1;
export const WATER = 240;
export const TREES = 241;
export const BUILDING = 242;
export const BARRIER = 243;
export const UNKNOWN = 255;

/** What brushes write. Terrain is by level, cheap to dear. */
const MATERIALS = {
  play: { free: FREE, wall: WALL, building: BUILDING, barrier: BARRIER, terrain: [2, 4, 8] },
  costmap: { free: 0, wall: 254, building: 254, barrier: 254, terrain: [60, 130, 220] },
};

export const materialsOf = (profile) => MATERIALS[profile];

/** The profile that createWorld() is given: each byte its factor, and 240 to 254 block. */
export const PLAY_PROFILE = {
  name: "play",
  factors: Uint8Array.from({ length: 256 }, (_, byte) => (byte === UNKNOWN ? 1 : byte >= WATER ? 0 : byte)),
};

export const isBlocked = (profile, byte) => (profile === "costmap" ? byte === 253 || byte === 254
  : byte === WALL || (byte >= WATER && byte !== UNKNOWN));

/** The factor of a move on open ground, as planners count it. */
export const unitOf = (profile) => (profile === "costmap" ? 50 : 1);

/** True for a byte that is neither free nor blocked: a file of free and blocked cells loses it. */
export const isBetween = (profile, byte) => !isBlocked(profile, byte) && byte !== MATERIALS[profile].free;
