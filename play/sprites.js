// Small pictures of what is drawn hundreds of times a frame: putting one down costs a tenth of drawing it.

const KEPT = 24;

export class Sprites {
  #made = new Map(); // by what they show

  /**
   * A disc, or for "runner" a square on its corner.
   * @param size radius in device pixels @param line width of the edge @param edge its colour, drawn over a ring and below a unit
   */
  of(kind, size, line, fill, edge) {
    const key = `${kind} ${size.toFixed(2)} ${line} ${fill} ${edge}`;
    let canvas = this.#made.get(key);
    if (canvas === undefined) {
      canvas = drawn(kind, size, line, fill, edge);
      if (this.#made.size >= KEPT) {
        this.#made.clear();
      }
      this.#made.set(key, canvas);
    }
    return canvas;
  }
}

function drawn(kind, size, line, fill, edge) {
  const arm = kind === "runner" ? size * 1.5 : size;
  const middle = Math.ceil(arm + line) + 1;
  const canvas = new OffscreenCanvas(2 * middle, 2 * middle);
  const context = canvas.getContext("2d");
  context.translate(middle, middle);
  context.beginPath();
  if (kind === "runner") {
    [[0, -arm], [arm, 0], [0, arm], [-arm, 0]].forEach(([x, y]) => context.lineTo(x, y));
    context.closePath();
  } else {
    context.arc(0, 0, arm, 0, 2 * Math.PI);
  }
  context.fillStyle = fill;
  context.strokeStyle = edge ?? fill;
  context.lineWidth = line;
  if (kind === "lost") { // a ring that is seen
    context.fill();
    context.stroke();
  } else {
    if (edge !== null) {
      context.stroke();
    }
    context.fill();
  }
  return canvas.transferToImageBitmap();
}
