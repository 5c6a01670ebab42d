// The hash of a world, the XOR of a number for each cell and its byte (msgs/README.md): 64 bits in two halves.

/** The product of two numbers of 64 bits, its lower 64 bits. */
function multiply(high: number, low: number, byHigh: number, byLow: number): [number, number] {
  const [a, b, c, d] = [low & 0xffff, low >>> 16, byLow & 0xffff, byLow >>> 16];
  const first = a * c;
  const middle = b * c + (first >>> 16); // below 2^33: exact
  const cross = a * d + (middle & 0xffff);
  const upper = b * d + Math.floor(middle / 65536) + Math.floor(cross / 65536);
  const lower = ((cross & 0xffff) << 16) | (first & 0xffff);
  return [(upper + Math.imul(high, byLow) + Math.imul(low, byHigh)) | 0, lower | 0];
}

/** high: the upper half of the cell's number and byte, low: the lower half. The halves of its hash are XORed into `hash`. */
export function hashCell(hash: Int32Array, index: number, byte: number): void {
  let high = index >>> 24;
  let low = (index << 8) | byte;
  [high, low] = multiply(high ^ (high >>> 30), low ^ ((low >>> 30) | (high << 2)), 0xbf58476d, 0x1ce4e5b9);
  [high, low] = multiply(high ^ (high >>> 27), low ^ ((low >>> 27) | (high << 5)), 0x94d049bb, 0x133111eb);
  hash[0]! ^= high ^ (high >>> 31);
  hash[1]! ^= low ^ ((low >>> 31) | (high << 1));
}
