// What a search did, cell by cell, as the module tells it. Both threads use it.
//
// A word is a cell and, above it, what happened to it. Each value is one step of the search; where whole words of cells
// are searched at once, one level of them is.

export const EXPANDED = 0;
export const REUSED = 1;
export const RAISED = 2;
export const LEVEL = 3;

const KIND_SHIFT = 28;
const CELL_MASK = 0xfffffff; // as a cell: the next level begins

export const cellOf = (word) => word & CELL_MASK;
export const kindOf = (word) => word >>> KIND_SHIFT;
export const isLevelEnd = (word) => (word & CELL_MASK) === CELL_MASK;

/** How many words of each kind there are, and how many levels. */
export function countsOf(words) {
  const counts = [0, 0, 0, 0];
  let ends = 0;
  for (const word of words) {
    if (isLevelEnd(word)) {
      ends++;
    } else {
      counts[kindOf(word)]++;
    }
  }
  const [expanded, reused, raised, reached] = counts;
  return { expanded, reused, raised, reached, levels: reached > 0 ? ends + 1 : 0 };
}

/** What is shown at all times, and the steps that a slider goes through: where each ends in `words`. */
export function stepsOf(all) {
  const kept = all.filter((word) => kindOf(word) === REUSED);
  const words = all.filter((word) => kindOf(word) !== REUSED);
  const ends = [];
  words.forEach((word, i) => {
    const isWithin = kindOf(word) === LEVEL && i + 1 < words.length && !isLevelEnd(words[i + 1]) && kindOf(words[i + 1]) === LEVEL;
    if (!isWithin) {
      ends.push(i + 1);
    }
  });
  return { kept, words, ends };
}
