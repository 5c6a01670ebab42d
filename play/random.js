// Numbers that a seed decides.

/** A function that gives numbers of [0, 1), the same ones for the same seed (mulberry32). */
export function randomOf(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** Whole numbers from `least` to `most`. */
export const wholeOf = (random, least, most) => least + Math.floor(random() * (most - least + 1));
