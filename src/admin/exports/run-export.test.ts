/** @jest-environment node */
import "#test/browser-globals.ts";
import { createHash } from "node:crypto";
import { describe, expect, test } from "@jest/globals";
import type { ExportFormat, ExportInfo } from "#contract/content/exports.ts";
import { createMemorySink } from "./file-sink.ts";
import { BrokenExport, createRowCounter, runExport } from "./run-export.ts";

describe("row counter", () => {
  function count(format: ExportFormat, chunks: readonly string[]): number | undefined {
    const counter = createRowCounter(format);
    for (const chunk of chunks) counter?.add(new TextEncoder().encode(chunk));
    return counter?.count();
  }

  test.each<[string, ExportFormat, string[], number | undefined]>([
    ["lines of csv without its header", "csv", ["id,a\n1,x\n2,y\n"], 2],
    ["a line break inside of quotes as part of a value", "csv", ['id,a\n1,"x', '\ny"\n2,"""\n"""\n'], 2],
    ["nothing before the header has come", "csv", ["id"], 0],
    ["objects of json without its last bracket", "json", ['[{"a":1}\n', ',{"a":2}\n', "]\n"], 2],
    ["an empty array as no row", "json", ["[]\n"], 0],
    ["lines of ndjson", "ndjson", ['{"a":1}\n{"a":2}\n'], 2],
    ["nothing of a packed format", "xlsx", ["PK\n\n"], undefined],
  ])("counts %s", (_what, format, chunks, rows) => {
    expect(count(format, chunks)).toBe(rows);
  });
});

describe("run export", () => {
  const TEXT = 'id,label\n1,"two\nlines"\n2,"a ""b"""\n';
  const BYTES = Buffer.byteLength(TEXT);

  const INFO: ExportInfo = {
    id: "e1",
    content_type_id: 7,
    format: "csv",
    file_name: "x.csv",
    status: "complete",
    row_count: 2,
    byte_count: BYTES,
    sha256: createHash("sha256").update(TEXT).digest("hex"),
    created_at: "2026-11-22T12:00:00Z",
    finished_at: "2026-11-22T12:00:01Z",
  };

  function toStream(chunks: readonly string[], error?: Error): ReadableStream<Uint8Array> {
    return new ReadableStream({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk));
        if (error) controller.error(error);
        else controller.close();
      },
    });
  }

  async function run({
    info = INFO,
    body = toStream([TEXT.slice(0, 12), TEXT.slice(12)]),
    headers = { "X-Export-Id": "e1" } as Record<string, string>,
  }: {
    info?: ExportInfo;
    body?: ReadableStream<Uint8Array>;
    headers?: Record<string, string>;
  } = {}) {
    const saved: { blob: Blob; name: string }[] = [];
    const seen: number[] = [];
    const result = await runExport({
      format: "csv",
      open: async () => new Response(body, { headers }),
      getInfo: async () => info,
      sink: createMemorySink("x.csv", "text/csv", (blob, name) => saved.push({ blob, name })),
      onProgress: ({ bytes }) => seen.push(bytes),
    }).catch((error: unknown) => error);
    return { saved, seen, result };
  }

  test("a file that is what the server sent is saved, with its rows and its length", async () => {
    const { saved, seen, result } = await run();
    expect(result).toEqual({ bytes: BYTES, rows: 2, isVerified: true });
    expect(saved.map(({ name }) => name)).toEqual(["x.csv"]);
    expect(await saved[0]?.blob.text()).toBe(TEXT);
    expect(seen).toEqual([12, BYTES]);
  });

  test.each([
    ["is shorter than the server says", { info: { ...INFO, byte_count: BYTES + 1 } }],
    ["has another checksum", { info: { ...INFO, sha256: "0".repeat(64) } }],
    ["the server calls failed", { info: { ...INFO, status: "failed" as const } }],
  ])("a file that %s is never saved", async (_what, part) => {
    const { saved, result } = await run(part);
    expect(result).toBeInstanceOf(BrokenExport);
    expect(saved).toEqual([]);
  });

  test("a connection that breaks off leaves no file", async () => {
    const { saved, result } = await run({ body: toStream(["id,"], new TypeError("terminated")) });
    expect(result).toMatchObject({ message: "terminated" });
    expect(saved).toEqual([]);
  });

  test("a back end that names no export is believed, and the rows are the counted ones", async () => {
    const { saved, result } = await run({ headers: {} });
    expect(result).toEqual({ bytes: BYTES, rows: 2, isVerified: false });
    expect(saved).toHaveLength(1);
  });

  test("a disk that is full ends the download", async () => {
    const seen: string[] = [];
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(8)),
      cancel: () => void seen.push("cancelled"),
    });
    const result = await runExport({
      format: "csv",
      open: async () => new Response(body),
      getInfo: async () => INFO,
      sink: {
        write: () => Promise.reject(new Error("no space")),
        hash: async () => undefined,
        save: async () => void seen.push("saved"),
        discard: async () => void seen.push("discarded"),
      },
      onProgress: () => {},
    }).catch((error: unknown) => error);
    expect(result).toEqual(new Error("no space"));
    expect(seen).toEqual(["cancelled", "discarded"]);
  });
});
