// Shortest paths by a search that shares nothing with the planners: Dijkstra with an array for a heap.

/** Cost of a cheapest path in cell lengths, or null. @param factors row by row, 0 blocks */
export function costOf(factors, width, height, wraps, neighbors, start, goal) {
  const place = (x, y) => (wraps ? ((y + height) % height) * width + ((x + width) % width)
    : x < 0 || y < 0 || x >= width || y >= height ? -1 : y * width + x);
  const factorAt = (x, y) => factors[place(x, y)] ?? 0;
  const costs = new Float64Array(width * height).fill(Infinity);
  const buckets = [[place(...start)]]; // by whole cost
  costs[place(...start)] = 0;
  for (let i = 0; i < buckets.length; i++) {
    for (let j = 0; j < (buckets[i]?.length ?? 0); j++) {
      const at = buckets[i][j];
      const [x, y] = [at % width, Math.floor(at / width)];
      for (const [dx, dy] of [[1, 0], [0, 1], [-1, 0], [0, -1], [1, 1], [-1, 1], [-1, -1], [1, -1]]) {
        const isDiagonal = dx !== 0 && dy !== 0;
        const factor = factorAt(x + dx, y + dy);
        if (factor === 0 || (isDiagonal && (neighbors === 4 || factorAt(x + dx, y) === 0 || factorAt(x, y + dy) === 0))) {
          continue;
        }
        const cost = costs[at] + ((factor + factors[at]) / 2) * (isDiagonal ? Math.SQRT2 : 1);
        const next = place(x + dx, y + dy);
        if (cost < costs[next] - 1e-9) {
          costs[next] = cost;
          (buckets[Math.floor(cost)] ??= []).push(next);
        }
      }
    }
  }
  const cost = costs[place(...goal)];
  return factors[place(...start)] === 0 || cost === Infinity ? null : cost;
}
