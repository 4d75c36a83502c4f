import { type Canvas, createCanvas } from "@napi-rs/canvas";
import { getDocument, VerbosityLevel } from "pdfjs-dist/legacy/build/pdf.mjs";
import { fitWidth } from "./dimensions.ts";

const MAX_IMAGE_PIXELS = 50_000_000;

/** The first page of a PDF on white paper. @throws Error when it can't be read, needs a password or has no page. */
export async function drawFirstPage(bytes: Buffer, width: number): Promise<Canvas> {
  const task = getDocument({
    data: new Uint8Array(bytes),
    verbosity: VerbosityLevel.ERRORS,
    maxImageSize: MAX_IMAGE_PIXELS,
    useSystemFonts: false,
    // Seen from the working folder, which drawing-process.ts sets: they are found where the way to it is closed, too.
    standardFontDataUrl: "standard_fonts/",
    cMapUrl: "cmaps/",
    wasmUrl: "wasm/",
    iccUrl: "iccs/",
  });
  try {
    const page = await (await task.promise).getPage(1);
    const size = fitWidth(page.getViewport({ scale: 1 }), width, true);
    const canvas = createCanvas(size.width, size.height);
    const viewport = page.getViewport({ scale: size.scale });
    // The library's types know a browser's canvas; in Node it draws on this one.
    await page.render({ canvas: canvas as unknown as HTMLCanvasElement, viewport, background: "white" })
      .promise;
    return canvas;
  } finally {
    await task.destroy();
  }
}
