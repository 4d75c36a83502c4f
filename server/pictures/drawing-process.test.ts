import { existsSync, readFileSync } from "node:fs";
import { Readable } from "node:stream";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { until } from "#test/until.ts";
import { createDrawingProcess, DrawingError, type DrawingProcess } from "./drawing-process.ts";
import { makeEndlessPdf, makePdf, makePdfBomb, makePhoto, makePngBomb, readPicture } from "./fixture.ts";
import type { ThumbnailJob } from "./job.ts";
import { openBroker } from "./start-child.ts";

// Each test starts processes, which takes its time on a busy machine.

let drawing: DrawingProcess;
beforeEach(() => {
  drawing = createDrawingProcess();
});
afterEach(() => drawing.close());

const thumbnail = (type: ThumbnailJob["type"], width = 192): ThumbnailJob => ({
  kind: "thumbnail",
  type,
  width,
});
const open = (bytes: Buffer) => async () => ({ stream: Readable.from([bytes]), byteSize: bytes.length });
const isRunning = (pid: number | undefined) => pid !== undefined && existsSync(`/proc/${pid}`);

async function drawPhoto(): Promise<number> {
  const picture = await drawing.draw(thumbnail("photo"), open(makePhoto("png")));
  return (await readPicture(picture)).width;
}

test("a process starts with the first job, serves the next ones and is gone after close", async () => {
  expect(drawing.getPid()).toBeUndefined();
  expect(await drawPhoto()).toBe(192);
  const pid = drawing.getPid();
  expect(await drawPhoto()).toBe(192);
  expect(drawing.getPid()).toBe(pid);
  expect(isRunning(pid)).toBe(true);
  await drawing.close();
  expect(isRunning(pid)).toBe(false);
  await expect(drawPhoto()).rejects.toMatchObject({ code: "unavailable" });
});

const isRoot = process.getuid?.() === 0;

/** Lines of /proc/<pid>/status. */
function readStatus(pid: number | undefined): Record<string, string> {
  const lines = readFileSync(`/proc/${pid}/status`, "utf8").split("\n");
  return Object.fromEntries(lines.map((line) => line.split(/:\s*/, 2)));
}

(isRoot ? test : test.skip)(
  "started by root, what decodes is an account that nobody else is, without groups and capabilities (skipped: needs root)",
  async () => {
    await drawPhoto();
    await drawing.draw(thumbnail("pdf"), open(makePdf()));
    const { Uid, Gid, Groups, CapPrm, CapEff } = readStatus(drawing.getPid());
    const [ids, groups] = [new Set(Uid?.split("\t")), new Set(Gid?.split("\t"))];
    expect([ids.size, groups.size, ids.has("0"), Groups]).toEqual([1, 1, false, ""]);
    expect(ids.has("1907000001") || ids.has("65534")).toBe(true);
    expect([CapPrm, CapEff]).toEqual(["0000000000000000", "0000000000000000"]);
  },
);

(isRoot ? test : test.skip)(
  "for a server that gives root up, a broker starts what decodes as the drawing account, and ends it (skipped: needs root)",
  async () => {
    await drawing.close();
    drawing = createDrawingProcess({ starter: openBroker({ uid: 65534, gid: 65534 }) });
    expect(await drawPhoto()).toBe(192);
    const pid = drawing.getPid();
    const { Uid, Groups, CapEff, CapPrm } = readStatus(pid);
    expect([new Set(Uid?.split("\t")).size, Uid?.startsWith("0"), Groups]).toEqual([1, false, ""]);
    expect([CapPrm, CapEff]).toEqual(["0000000000000000", "0000000000000000"]);
    // After a failure the next file meets a fresh process.
    await expect(drawing.draw(thumbnail("photo"), open(makePngBomb(30_000)))).rejects.toBeInstanceOf(
      DrawingError,
    );
    expect(await drawPhoto()).toBe(192);
    expect(drawing.getPid()).not.toBe(pid);
    expect(isRunning(pid)).toBe(false);
    process.kill(drawing.getPid() ?? 0, "SIGKILL");
    expect(await drawPhoto()).toBe(192);
    const last = drawing.getPid();
    await drawing.close();
    expect(isRunning(last)).toBe(false);
  },
);

test("no program gives it new rights, it has no settings of the server's, and it can make no file grow", async () => {
  await drawPhoto();
  const pid = drawing.getPid();
  if (existsSync("/usr/bin/setpriv")) expect(readStatus(pid).NoNewPrivs).toBe("1");
  const limits = readFileSync(`/proc/${pid}/limits`, "utf8");
  expect(limits).toMatch(/Max file size\s+0\s/);
  expect(limits).toMatch(/Max core file size\s+0\s/);
});

test("without work the process ends by itself, and starts again with the next job", async () => {
  await drawing.close();
  drawing = createDrawingProcess({ idleMs: 50 });
  expect(await drawPhoto()).toBe(192);
  await until(() => drawing.getPid() === undefined);
  expect(await drawPhoto()).toBe(192);
});

test("a process that is killed between two jobs is replaced, whether that was noticed or not", async () => {
  await drawPhoto();
  process.kill(drawing.getPid() ?? 0, "SIGKILL");
  expect(await drawPhoto()).toBe(192);
  process.kill(drawing.getPid() ?? 0, "SIGKILL");
  await until(() => drawing.getPid() === undefined);
  expect(await drawPhoto()).toBe(192);
});

test("a job whose fresh process is killed fails, and the next one is drawn", async () => {
  const failing = drawing.draw(thumbnail("pdf"), open(makeEndlessPdf()));
  await until(() => drawing.getPid() !== undefined);
  process.kill(drawing.getPid() ?? 0, "SIGKILL");
  await expect(failing).rejects.toMatchObject({
    name: "ChildEndedError",
    message: expect.stringContaining("SIGKILL"),
  });
  expect(await drawPhoto()).toBe(192);
});

test("what takes too long is ended", async () => {
  await drawing.close();
  drawing = createDrawingProcess({ timeoutMs: 3000 });
  await expect(drawing.draw(thumbnail("pdf"), open(makeEndlessPdf()))).rejects.toThrow(
    "not drawn within 3000 ms",
  );
  expect(drawing.getPid()).toBeUndefined();
});

test("after a file that can't be drawn the next one meets a fresh process", async () => {
  await drawPhoto();
  const pid = drawing.getPid();
  await expect(drawing.draw(thumbnail("photo"), open(makePngBomb(30_000)))).rejects.toMatchObject({
    name: "DrawingError",
    message: "30000 × 30000 pixels are too many",
  });
  expect(await drawPhoto()).toBe(192);
  expect(drawing.getPid()).not.toBe(pid);
});

test("a PDF that unpacks to gigabytes ends its process, and nothing else", async () => {
  const before = process.memoryUsage.rss();
  await expect(drawing.draw(thumbnail("pdf"), open(makePdfBomb()))).rejects.toBeInstanceOf(DrawingError);
  expect(process.memoryUsage.rss() - before).toBeLessThan(100_000_000);
  expect(await drawPhoto()).toBe(192);
});

test("an input that breaks off half-way is the storage's failure, not the picture's", async () => {
  const stream = Readable.from(
    (function* () {
      yield makePhoto("png").subarray(0, 100);
      throw new Error("the disk is gone");
    })(),
  );
  const failing = drawing.draw(thumbnail("photo"), async () => ({ stream, byteSize: 5000 }));
  await expect(failing).rejects.toMatchObject({ name: "Error", message: "the disk is gone" });
  expect(await drawPhoto()).toBe(192);
});

test("a job that close interrupts fails because the server ends, and leaves no process", async () => {
  const failing = drawing.draw(thumbnail("pdf"), open(makeEndlessPdf()));
  await until(() => drawing.getPid() !== undefined);
  const pid = drawing.getPid();
  await Promise.all([drawing.close(), expect(failing).rejects.toMatchObject({ code: "unavailable" })]);
  expect(isRunning(pid)).toBe(false);
});
