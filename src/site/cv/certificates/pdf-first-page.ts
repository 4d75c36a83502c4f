import type { PDFWorker } from "pdfjs-dist";
import { trustWorker } from "../../../ui/trusted-types.ts";

const TIME_LIMIT_MS = 8_000;
/** Finer than this costs memory that nobody sees. */
const MAX_PIXEL_RATIO = 2;

export interface DrawRequest {
  file: string;
  /** Is given the size that fits its parent element, in pixels of the screen. */
  canvas: HTMLCanvasElement;
  /** Ends the work; what was loaded of the PDF is let go. */
  signal: AbortSignal;
}

/** Started for the first PDF, used for all that follow. */
let worker: { pdf: PDFWorker; thread: Worker } | null = null;

/** pdf.js would start its worker by a text, which the document's policy takes for no script's address. */
const startThread = (version: string) =>
  new Worker(trustWorker(`/pdf.worker.min.mjs?v=${version}`), { type: "module" });

function toPixelScale(canvas: HTMLCanvasElement, page: { width: number; height: number }): number {
  const { clientWidth, clientHeight } = canvas.parentElement ?? canvas;
  const ratio = Math.min(Math.max(window.devicePixelRatio, 1), MAX_PIXEL_RATIO);
  return Math.min(clientWidth / page.width, clientHeight / page.height) * ratio;
}

async function draw({ file, canvas, signal }: DrawRequest): Promise<void> {
  // The legacy build: the other one needs functions that only the newest browsers have.
  const pdfjs = await import("pdfjs-dist/legacy/build/pdf.mjs");
  signal.throwIfAborted();
  if (!worker) {
    const thread = startThread(pdfjs.version);
    const port = thread as unknown as null; // pdf.js' own types leave out that it may be a worker
    worker = { pdf: new pdfjs.PDFWorker({ port, verbosity: pdfjs.VerbosityLevel.ERRORS }), thread };
  }
  const { thread } = worker;
  const task = pdfjs.getDocument({
    url: file,
    worker: worker.pdf,
    verbosity: pdfjs.VerbosityLevel.ERRORS,
    standardFontDataUrl: "/standard_fonts/",
    // The site's Content-Security-Policy allows no WebAssembly.
    useWasm: false,
  });
  // A task whose worker is gone can't say goodbye to it.
  const letGo = () => void task.destroy().catch(() => undefined);
  signal.addEventListener("abort", letGo, { once: true });
  const failed = new Promise<never>((_, reject) => {
    const fail = () => reject(new Error("its worker can't be loaded"));
    thread.addEventListener("error", fail, { once: true, signal });
  });
  const pdf = await Promise.race([task.promise, failed]);
  const page = await pdf.getPage(1);
  const viewport = page.getViewport({ scale: toPixelScale(canvas, page.getViewport({ scale: 1 })) });
  canvas.width = Math.floor(viewport.width);
  canvas.height = Math.floor(viewport.height);
  await page.render({ canvas, viewport }).promise;
}

/**
 * Draws a PDF's first page. pdf.js and its worker are fetched by the first call.
 * @throws when pdf.js, its worker or the file can't be loaded, the file is broken, it takes over 8 s, or `signal` ends it.
 */
export async function drawFirstPage({ file, canvas, signal }: DrawRequest): Promise<void> {
  const stop = new AbortController();
  const timer = setTimeout(
    () => stop.abort(new Error(`not drawn within ${TIME_LIMIT_MS} ms`)),
    TIME_LIMIT_MS,
  );
  const leave = () => stop.abort(signal.reason);
  signal.addEventListener("abort", leave, { once: true });
  const stopped = new Promise<never>((_, reject) => {
    stop.signal.addEventListener("abort", () => reject(stop.signal.reason), { once: true });
  });
  try {
    await Promise.race([draw({ file, canvas, signal: stop.signal }), stopped]);
  } catch (error) {
    // The fault may be the worker's, so the next PDF gets a new one. A visitor who went on says nothing about it.
    if (!signal.aborted) {
      worker?.pdf.destroy();
      worker?.thread.terminate();
      worker = null;
    }
    throw error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", leave);
    stop.abort();
  }
}
