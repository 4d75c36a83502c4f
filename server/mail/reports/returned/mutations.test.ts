import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { toRuns } from "#test/property-runs.ts";
import { returnedSource } from "./returned-source.ts";
import { listMailFiles, readMailFile } from "./test-returned.ts";

const SEED = 20_261_121;
const RUNS = toRuns(400, 20_000);

const FILES = ["dsn", "arf"].flatMap((folder) =>
  listMailFiles(folder).map((file) => ({ name: `${folder}/${file}`, raw: readMailFile(folder, file) })),
);

/** Pieces that change what a report means. */
const PIECES = [
  "\n\n",
  "\n",
  "\r\n ",
  ": ",
  "--",
  "Action: failed\n",
  "Status: 5.1.1\n",
  "Final-Recipient: rfc822; ",
  "Content-Type: message/delivery-status\n\n",
  "Content-Transfer-Encoding: base64\n",
  "<victim@example.com>: user unknown\n",
  "victim@example.com",
  "\0",
  "\xff\xfe",
].map((piece) => Buffer.from(piece, "latin1"));

interface Edit {
  /** From 0 to 1: where in the file. */
  at: number;
  deleted: number;
  inserted: Buffer;
}

const edits = fc.array(
  fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    deleted: fc.oneof(fc.nat(3), fc.nat(400)),
    inserted: fc.oneof(
      fc.constantFrom(...PIECES),
      fc.uint8Array({ maxLength: 8 }).map((bytes) => Buffer.from(bytes)),
    ),
  }),
  { minLength: 1, maxLength: 6 },
);

const mutate = (raw: Buffer, changes: Edit[]) =>
  changes.reduce((bytes, { at, deleted, inserted }) => {
    const start = Math.floor(at * bytes.length);
    return Buffer.concat([bytes.subarray(0, start), inserted, bytes.subarray(start + deleted)]);
  }, raw);

/** All that stands in a field for recipients, whatever part it is in. */
function readRecipientFields(raw: Buffer, names: string): string {
  const text = raw
    .toString()
    .replace(/\r\n?/g, "\n")
    .replace(/\n[ \t]+/g, " ")
    .replaceAll("\0", "");
  return (text.match(new RegExp(`^\\s*(${names})\\s*:.*$`, "gim")) ?? []).join("\n");
}

test("a report that was tampered with throws nowhere and condemns nobody whom it doesn't name", async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...FILES), edits, async ({ raw }, changes) => {
      const mutated = mutate(raw, changes);
      const report = await returnedSource.prove(mutated, {});
      if (!report) return;
      for (const { bounce, recipient } of returnedSource.read(JSON.parse(JSON.stringify(report.content)))) {
        if (bounce?.type !== "Permanent" || recipient === null) continue;
        const names = `final-recipient|original-recipient${bounce.isCertain ? "" : "|x-failed-recipients"}`;
        expect(readRecipientFields(mutated, names)).toContain(recipient);
      }
    }),
    { seed: SEED, numRuns: RUNS },
  );
});

test("the files as they are have bounces for good, or the property would prove nothing", async () => {
  const types = new Set<string | undefined>();
  for (const { raw } of FILES) {
    const report = await returnedSource.prove(raw, {});
    for (const { bounce } of report ? returnedSource.read(report.content) : []) types.add(bounce?.type);
  }
  expect(types).toContain("Permanent");
});
