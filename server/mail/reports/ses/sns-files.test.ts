import { expect, test } from "@jest/globals";
import expectedFiles from "#test/mail/sns/expected.json" with { type: "json" };
import { toVerdict } from "../fate.ts";
import type { ProvenReport } from "../report-source.ts";
import { createTestSource, listMailFiles, readMailFile } from "./test-sns.ts";

/** What a file of `test/mail/sns` is to give. `feedback_type` null: a complaint that doesn't say. */
interface Expected {
  file: string;
  kind: string;
  recipients?: number;
  bounce_type?: string;
  bounce_subtype?: string;
  feedback_type?: string | null;
  suppress: string;
}

const expected: readonly Expected[] = expectedFiles;
const { source } = createTestSource();

/** As it comes back from the database. */
const reread = (content: unknown): unknown => JSON.parse(JSON.stringify(content));

function describeEvents(file: string, report: ProvenReport | undefined): Expected[] {
  if (!report) return [{ file, kind: "nothing", suppress: "none" }];
  const events = source.read(reread(report.content));
  if (report.confirmation && events.length === 0) return [{ file, kind: "confirmation", suppress: "none" }];
  return events.map((event) => ({
    file,
    kind: event.kind,
    ...(events.length > 1 ? { recipients: events.length } : {}),
    ...(event.bounce ? { bounce_type: event.bounce.type, bounce_subtype: event.bounce.subtype } : {}),
    ...(event.complaint ? { feedback_type: event.complaint.feedbackType } : {}),
    suppress: toVerdict(event),
  }));
}

test("every message of the folder has its verdict written down", () => {
  const messages = listMailFiles("sns").filter((file) => file.endsWith(".json") && file !== "expected.json");
  expect(expected.map(({ file }) => file).sort()).toEqual(messages);
});

test.each(expected.map((entry) => [entry.file, entry] as const))(
  "%s gives its verdict",
  async (file, entry) => {
    const found = describeEvents(file, await source.verify(readMailFile(`sns/${file}`), {}));
    expect(found).toEqual(Array.from({ length: entry.recipients ?? 1 }, () => entry));
  },
);

test.each(expected.map(({ file }) => file))(
  "%s leaves no subject, tag, source or other header behind",
  async (file) => {
    const report = await source.verify(readMailFile(`sns/${file}`), {});
    expect(JSON.stringify(report ?? {})).not.toMatch(
      /verification code|subject|ses:|sourceArn|noreply|"From"/i,
    );
  },
);
