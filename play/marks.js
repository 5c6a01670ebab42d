// Marks of what made a unit turn: a form for each kind, so that they are told apart without colours.

/** Add the form of a kind to a path: a cross, a plus, an upright triangle. */
export function addMark(context, kind, x, y, arm) {
  const lines = {
    cut: [[-1, -1, 1, 1], [1, -1, -1, 1]],
    cheaper: [[-1.25, 0, 1.25, 0], [0, -1.25, 0, 1.25]],
    dearer: [[-1.1, 0.9, 0, -1.1], [0, -1.1, 1.1, 0.9], [1.1, 0.9, -1.1, 0.9]],
  }[kind];
  for (const [fromX, fromY, toX, toY] of lines) {
    context.moveTo(x + fromX * arm, y + fromY * arm);
    context.lineTo(x + toX * arm, y + toY * arm);
  }
}

export const markColour = (kind, colours) => (kind === "cheaper" ? colours.path : colours.turned);

const MARKS_MOST = 60;

/** Draw the path that was, in dashes. @param before its corners as x, y, .. @param pixels (count) CSS pixels in cells */
export function drawOldPath(context, before, { width, height, wraps }, colours, pixels) {
  context.setLineDash([pixels(5), pixels(4)]);
  context.strokeStyle = colours.turned;
  context.lineWidth = pixels(1.6);
  context.beginPath();
  const shifts = wraps ? [-1, 0, 1] : [0];
  for (const column of shifts) {
    for (const row of shifts) {
      for (let i = 0; i < before.length; i += 2) {
        const point = [before[i] + 0.5 + column * width, before[i + 1] + 0.5 + row * height];
        (i === 0 ? context.moveTo : context.lineTo).apply(context, point);
      }
    }
  }
  context.stroke();
  context.setLineDash([]);
}

/** Draw frames around the cells that caused a turn, and marks where they met a path. @param causes of reasons.js */
export function drawCauses(context, causes, { width }, colours, pixels) {
  for (const { kind, cells, ground } of causes) {
    context.strokeStyle = markColour(kind, colours);
    context.lineWidth = pixels(1.5);
    context.beginPath();
    for (const cell of ground) {
      context.rect(cell % width, Math.floor(cell / width), 1, 1);
    }
    context.stroke();
    context.lineWidth = pixels(2.2);
    context.beginPath();
    for (const cell of cells.slice(0, MARKS_MOST)) {
      addMark(context, kind, (cell % width) + 0.5, Math.floor(cell / width) + 0.5, Math.max(0.4, pixels(4)));
    }
    context.stroke();
  }
}
