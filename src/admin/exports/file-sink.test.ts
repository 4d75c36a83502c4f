/** @jest-environment node */
import { afterEach, expect, test } from "@jest/globals";
import { pickDiskSink } from "./file-sink.ts";

/** A file as the browser's picker hands it over: empty, and written elsewhere until it is closed. */
function createPickedFile({ isFull = false, before = 0 } = {}) {
  const seen: string[] = [];
  const handle = {
    createWritable: async () => ({
      async write(chunk: Uint8Array) {
        if (isFull) throw new DOMException("no space", "QuotaExceededError");
        seen.push(`write ${chunk.byteLength}`);
      },
      close: async () => void seen.push("close"),
      async abort() {
        if (isFull) throw new TypeError("the stream has failed");
        seen.push("abort");
      },
    }),
    getFile: async () => ({ size: before }),
    remove: async () => void seen.push("remove"),
  };
  return { seen, handle };
}

const setPicker = (picker: unknown) => Reflect.set(globalThis, "showSaveFilePicker", picker);
afterEach(() => {
  setPicker(undefined);
});

async function requireSink(handle: unknown) {
  setPicker(async () => handle);
  const sink = await pickDiskSink("x.csv");
  if (!sink) throw new Error("no sink");
  return sink;
}

test("a file is in its place once it is saved", async () => {
  const { seen, handle } = createPickedFile();
  const sink = await requireSink(handle);
  await sink.write(new Uint8Array(3));
  await sink.save();
  expect(seen).toEqual(["write 3", "close"]);
});

test("an export that is given up leaves no empty file behind", async () => {
  const { seen, handle } = createPickedFile();
  await (await requireSink(handle)).discard();
  expect(seen).toEqual(["abort", "remove"]);
});

test("nor does one whose disk is full", async () => {
  const { seen, handle } = createPickedFile({ isFull: true });
  const sink = await requireSink(handle);
  await expect(sink.write(new Uint8Array(3))).rejects.toThrow("no space");
  await sink.discard();
  expect(seen).toEqual(["remove"]);
});

test("a file that was there before stays as it was", async () => {
  const { seen, handle } = createPickedFile({ before: 12 });
  await (await requireSink(handle)).discard();
  expect(seen).toEqual(["abort"]);
});

test("a dialog that is closed ends the export; one that may not open lets the file go to the downloads", async () => {
  setPicker(() => Promise.reject(new DOMException("closed", "AbortError")));
  await expect(pickDiskSink("x.csv")).rejects.toThrow("closed");
  setPicker(() => Promise.reject(new DOMException("in a frame", "SecurityError")));
  expect(await pickDiskSink("x.csv")).toBeUndefined();
});
