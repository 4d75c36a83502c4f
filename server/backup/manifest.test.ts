import { expect, test } from "@jest/globals";
import { FORMAT_VERSION, type Manifest, parseManifest } from "./manifest.ts";

const SHA = "a".repeat(64);
const WHOLE: Manifest = {
  format_version: FORMAT_VERSION,
  app_version: "0.1.0",
  postgres_version: "18.4",
  created_at: "2026-11-20T12:00:00.000Z",
  migrations: [{ when: 1, name: "0000_floor", hash: "x" }],
  tables: [],
  files: [{ path: `files/ab/${"ab".repeat(16)}.png`, byte_size: 3, sha256: SHA }],
};

test("a manifest is read back as it was written", () => {
  expect(parseManifest(JSON.stringify(WHOLE))).toEqual(WHOLE);
});

test("a newer format is refused with the version that wrote it", () => {
  const newer = { ...WHOLE, format_version: FORMAT_VERSION + 1, app_version: "3.0.0", anything: "else" };
  expect(() => parseManifest(JSON.stringify(newer))).toThrow(/written by Foyer 3\.0\.0 in a newer format/);
});

test.each([
  ["out of the folder", "files/../../etc/passwd"],
  ["out of the folder by its beginning", "../keys/access-token.json"],
  ["from the root", "/etc/passwd"],
  ["into another folder", "postgres/PG_VERSION"],
  ["to a hidden file", "files/.ssh"],
  ["to a folder itself", "files"],
])("a path that leads %s is refused", (_, path) => {
  const bad = { ...WHOLE, files: [{ path, byte_size: 3, sha256: SHA }] };
  expect(() => parseManifest(JSON.stringify(bad))).toThrow(/manifest is damaged: files\.0\.path/);
});

test("the bound of a partition is a moment and nothing else", () => {
  const partition = {
    name: "audit_entry_2026_01",
    from: "2026-01-01 00:00:00+00",
    to: "2026-02-01 00:00:00+00",
  };
  const table = {
    name: "audit_entry",
    columns: [{ name: "id", type: "bigint" }],
    row_count: 0,
    byte_size: 0,
    sha256: SHA,
    sequences: [],
  };
  const toText = (from: string) =>
    JSON.stringify({ ...WHOLE, tables: [{ ...table, partitions: [{ ...partition, from }] }] });
  expect(parseManifest(toText(partition.from)).tables).toHaveLength(1);
  expect(() => parseManifest(toText("now'); DROP TABLE x; --"))).toThrow(/manifest is damaged/);
});

test("a text that is no manifest is refused in words", () => {
  expect(() => parseManifest("{")).toThrow(/is no JSON/);
  expect(() => parseManifest("{}")).toThrow(/manifest is damaged/);
});
