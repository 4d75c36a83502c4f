import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "@jest/globals";
import { compareTranscripts, readTranscript, type Transcript } from "./compare.ts";
import { joinPolls } from "./join-polls.ts";

const folder = mkdtempSync(join(tmpdir(), "foyer-compare-"));
afterAll(() => rmSync(folder, { recursive: true }));

function read(...lines: object[]): Transcript {
  const file = join(folder, "transcript.jsonl");
  writeFileSync(file, [{ scenario: "00" }, ...lines].map((line) => JSON.stringify(line)).join("\n"));
  return readTranscript(file);
}

const text = (data: unknown, conn = "A") => ({
  t: 1,
  conn,
  dir: "s2c",
  kind: "text",
  data: JSON.stringify(data),
});
const http = (body: object) => ({ t: 1, dir: "s2c", kind: "http", status: 200, body: JSON.stringify(body) });
const compare = (first: Transcript, second: Transcript) => compareTranscripts("00", first, second);

test("times, key order, presence refs and what clients did make no difference", () => {
  const first = read(text({ a: 1, metas: [{ phx_ref: "x", phx_ref_prev: "w" }] }), {
    conn: "A",
    dir: "c2s",
    kind: "text",
    data: "mine",
  });
  const second = read({ ...text({ metas: [{ phx_ref_prev: "1", phx_ref: "2" }], a: 1 }), t: 99 });
  expect(compare(first, second)).toEqual([]);
});

test("a frame that differs stands on both sides, one that is missing on one", () => {
  const first = read(text([1]), text([2]), text([3]));
  const second = read(text([1]), text([9]));
  expect(compare(first, second)).toEqual([
    { scenario: "00", conn: "A", first: ["T [2]", "T [3]"], second: ["T [9]"] },
  ]);
});

test("another order is a difference of all frames", () => {
  const [forth, back] = [read(text([1]), text([2])), read(text([2]), text([1]))];
  expect(compare(forth, back)).toEqual([
    { scenario: "00", conn: "A", first: ["T [1]", "T [2]"], second: ["T [2]", "T [1]"] },
  ]);
});

test("a client that only one side has is a difference", () => {
  expect(compare(read(text([1])), read(text([1], "B")))).toHaveLength(2);
});

test.each([
  ["a close code", { kind: "close", code: 1000 }, { kind: "close", code: 1005 }],
  ["bytes", { kind: "binary", hex: "00" }, { kind: "binary", hex: "01" }],
  ["a status", { kind: "http", status: 200, body: "" }, { kind: "http", status: 403, body: "" }],
  [
    "a subprotocol",
    { kind: "upgrade", status: 101, protocol: "p" },
    { kind: "upgrade", status: 101, protocol: null },
  ],
])("%s is compared", (_what, one, other) => {
  const line = { t: 1, conn: "A", dir: "s2c" };
  expect(compare(read({ ...line, ...one }), read({ ...line, ...other }))).toHaveLength(1);
});

test("joined polls differ in their messages and their other answers, not in how messages are spread", () => {
  const poll = (...messages: unknown[]) =>
    http({ status: 200, token: "t", messages: messages.map((message) => JSON.stringify(message)) });
  const one = joinPolls(read(http({ status: 410, token: "t", messages: [] }), poll([1], [2]), poll([3])));
  const other = joinPolls(read(http({ status: 410, token: "u", messages: [] }), poll([1]), poll([2], [3])));
  expect(compare(one, other)).toEqual([]);
  expect(compare(one, joinPolls(read(poll([1], [2], [3]))))).toHaveLength(1);
  expect(compare(one, joinPolls(read(http({ status: 410, messages: [] }), poll([1], [2]))))).toHaveLength(1);
});
