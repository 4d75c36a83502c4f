/**
 * The process that decodes and draws. What it reads is taken for hostile, so it is apart from the server: see
 * ../drawing-process.ts, which starts it, feeds it one job at a time and ends it.
 */
import { connect, Socket } from "node:net";
import { constants, getPriority, setPriority } from "node:os";
import type { DrawAnswer, DrawJob, DrawRequest } from "../job.ts";
import { drawIcon } from "./draw-icon.ts";
import { drawPortrait } from "./draw-portrait.ts";
import { drawPreview } from "./draw-preview.ts";
import { drawThumbnail } from "./draw-thumbnail.ts";
import { leaveRoot } from "./leave-root.ts";
import { CODE_IS_CLOSED, LINK, type Link, openLink } from "./link.ts";

/** Well below what drawing-process.ts has the kernel enforce. */
const SPENT_RSS_BYTES = 350_000_000;
const SPENT_CPU_S = 60;
/** Of the link to the server, see ../start-child.ts. */
const LINK_FD = 3;

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

async function draw(link: Link, { job, byteSize }: DrawRequest): Promise<DrawAnswer> {
  try {
    const input = await link.readBytes(byteSize);
    const picture = await drawByKind(job, input);
    return { isOk: true, picture, isSpent: isSpent() };
  } catch (error) {
    return { isOk: false, reason: error instanceof Error ? error.message : String(error) };
  }
}

// The server's own work comes first. Only root may raise a priority that is lower already.
const { PRIORITY_BELOW_NORMAL } = constants.priority;
if (getPriority() < PRIORITY_BELOW_NORMAL) setPriority(PRIORITY_BELOW_NORMAL);

const path = process.argv.find((arg) => arg.startsWith(LINK))?.slice(LINK.length);
const socket = path === undefined ? new Socket({ fd: LINK_FD }) : connect(path);
socket.on("close", () => process.exit());
socket.on("error", () => process.exit());
// Before the first byte of anybody's file is read.
await leaveRoot(process.argv.includes(CODE_IS_CLOSED));
const link = openLink(socket);
for (;;) {
  // Only drawing-process.ts of this same code sends requests.
  const request = (await link.readValue()) as DrawRequest;
  link.writeValue(await draw(link, request));
}
