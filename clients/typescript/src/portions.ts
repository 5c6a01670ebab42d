// Bytes that no message holds: rectangles of a world, written in portions of rows.
import type { Connection } from "./connection";
import { v1 } from "./wire";

const PORTION = 8 << 20; // bytes of one change

export interface Piece {
  x: number;
  y: number;
  width: number;
  height: number;
  data: Uint8Array;
}

/** Called with the number of bytes that the daemon has taken so far, and of all. */
export type Progress = (done: number, all: number) => void;

export function sizeOf(pieces: Piece[]): number {
  return pieces.reduce((size, { data }) => size + data.length, 0);
}

/**
 * Write pieces into the window that a reply was about. @param made the reply to the request that made the window
 * @returns the last reply
 */
export async function writePieces(connection: Connection, world: string, pieces: Piece[], made: v1.IReply, wait: v1.Wait, progress?: Progress): Promise<v1.IReply> {
  const window = { epoch: made.applied?.epoch ?? 0, window: made.applied?.window ?? 0 };
  let [reply, done] = [made, 0];
  for (const { x, y, width, height, data } of pieces) {
    const rows = Math.max(1, Math.floor(PORTION / width));
    for (let row = 0; row < height; row += rows) {
      const count = Math.min(rows, height - row);
      const part = data.subarray(row * width, (row + count) * width);
      reply = await connection.ask({ apply: { change: { world, x, y: y + row, width, height: count, data: part, ...window }, wait } });
      done += part.length;
      progress?.(done, sizeOf(pieces));
    }
  }
  return reply;
}
