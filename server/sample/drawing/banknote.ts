import { writeCentred } from "../../../tools/sample-drawing/centred-designs.ts";
import { drawRosette } from "../../../tools/sample-drawing/ornaments.ts";
import { type Design, SHEET_HEIGHT, SHEET_WIDTH } from "./sheet.ts";

/** Fine waves like those of a banknote behind the text, and a rounded frame. */
export const drawBanknote: Design = (pen, sheet, palette) => {
  pen.fillStyle = palette.paper;
  pen.fillRect(0, 0, SHEET_WIDTH, SHEET_HEIGHT);
  pen.save();
  pen.globalAlpha = 0.34;
  drawRosette(
    pen,
    { x: SHEET_WIDTH / 2, y: SHEET_HEIGHT / 2, radius: 300 },
    { lobes: 28, rings: 4, inner: 110, wide: 1.42, color: palette.metal, width: 0.7 },
  );
  pen.restore();
  for (const x of [92, SHEET_WIDTH - 92])
    for (const y of [92, SHEET_HEIGHT - 92])
      drawRosette(
        pen,
        { x, y, radius: 52 },
        { lobes: 9, rings: 2, inner: 4, color: palette.accent, width: 0.7 },
      );
  pen.strokeStyle = palette.accent;
  for (const [inset, width] of [
    [22, 3],
    [30, 0.8],
  ] as const) {
    pen.lineWidth = width;
    pen.beginPath();
    pen.roundRect(inset, inset, SHEET_WIDTH - 2 * inset, SHEET_HEIGHT - 2 * inset, 18);
    pen.stroke();
  }
  writeCentred(pen, sheet, palette);
};
