/**
 * The process that decodes and draws. What it reads is taken for hostile, so it is apart from the server: see
 * ../drawing-process.ts, which starts it, feeds it one job at a time and ends it.
 */
import { once } from "node:events";
import { constants, getPriority, setPriority } from "node:os";
import type { DrawAnswer, DrawJob, DrawRequest } from "../job.ts";
import { drawIcon } from "./draw-icon.ts";
import { drawPortrait } from "./draw-portrait.ts";
import { drawPreview } from "./draw-preview.ts";
import { drawThumbnail } from "./draw-thumbnail.ts";
import { CODE_IS_CLOSED, leaveRoot } from "./leave-root.ts";

/** Well below what drawing-process.ts has the kernel enforce. */
const SPENT_RSS_BYTES = 350_000_000;
const SPENT_CPU_S = 60;

/** So many bytes of the standard input; the server sends no more before it has its answer. */
async function readInput(byteSize: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for (let missing = byteSize; missing > 0; ) {
    const chunk: Buffer | null = process.stdin.read();
    if (chunk === null) await once(process.stdin, "readable");
    else {
      chunks.push(chunk);
      missing -= chunk.length;
    }
  }
  return Buffer.concat(chunks, byteSize);
}

function isSpent(): boolean {
  const { user, system } = process.cpuUsage();
  return process.memoryUsage.rss() > SPENT_RSS_BYTES || (user + system) / 1e6 > SPENT_CPU_S;
}

function drawByKind(job: DrawJob, input: Buffer): Promise<Buffer> {
  switch (job.kind) {
    case "icon":
      return drawIcon(job);
    case "preview":
      return drawPreview(job, input);
    case "portrait":
      return drawPortrait(job, input);
    case "thumbnail":
      return drawThumbnail(job, input);
  }
}

async function draw({ job, byteSize }: DrawRequest): Promise<DrawAnswer> {
  try {
    const input = await readInput(byteSize);
    const picture = await drawByKind(job, input);
    return { isOk: true, picture, isSpent: isSpent() };
  } catch (error) {
    return { isOk: false, reason: error instanceof Error ? error.message : String(error) };
  }
}

// The server's own work comes first. Only root may raise a priority that is lower already.
const { PRIORITY_BELOW_NORMAL } = constants.priority;
if (getPriority() < PRIORITY_BELOW_NORMAL) setPriority(PRIORITY_BELOW_NORMAL);
process.on("disconnect", () => process.exit());
// Before the first byte of anybody's file is read.
const isReady = leaveRoot(process.argv.includes(CODE_IS_CLOSED));
// Only drawing-process.ts of this same code sends messages.
process.on("message", async (request: DrawRequest) => {
  await isReady;
  process.send?.(await draw(request));
});
