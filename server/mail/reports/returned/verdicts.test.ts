import { describe, expect, test } from "@jest/globals";
import { toVerdict } from "../fate.ts";
import type { ReportedEvent } from "../report-source.ts";
import { returnedSource } from "./returned-source.ts";
import { listMailFiles, readMailFile, readVerdicts, toReturnPath, toToken } from "./test-returned.ts";

interface ExpectedRecipient {
  address: string;
  action: string;
  status: string;
  bounce_type: string | null;
  bounce_subtype: string | null;
}

interface Expected {
  file: string;
  token: string;
  kind?: "bounce" | "delay" | "delivery" | "auto-reply" | "complaint" | "ignored";
  recipients?: ExpectedRecipient[];
  /** Of a bounce: whether all mail stops; null: by recipient. Of a complaint: the scope. */
  suppress: boolean | null | "all" | "optional" | "ask" | "none";
  feedback_type?: string;
  user_agent?: string;
  is_ours?: boolean;
}

const KINDS: Record<string, string> = { failed: "bounced", delayed: "delayed", delivered: "delivered" };

async function readEvents(folder: string, file: string): Promise<readonly ReportedEvent[]> {
  const report = await returnedSource.prove(readMailFile(folder, file), {});
  // Stored and read again, as PostgreSQL gives it back.
  return report ? returnedSource.read(JSON.parse(JSON.stringify(report.content))) : [];
}

/** The documented lists know two types of bounces and four of complaints. */
const toShownType = (type: string) => (type === "Undetermined" ? "Transient" : type);
const toShownComplaint = (type: string | null | undefined) =>
  type && ["abuse", "fraud", "not-spam"].includes(type) ? type : "other";

/** A bounce's "suppress: yes" is all mail. */
const toExpectedScope = (suppress: Expected["suppress"]) =>
  suppress === true ? "all" : suppress === false ? "none" : suppress;

describe.each(["dsn", "arf", "attacks"])("test/mail/%s", (folder) => {
  const verdicts = readVerdicts<Expected>(folder);
  const files = listMailFiles(folder);

  test("every file has a verdict, and every verdict a file", () => {
    expect([...verdicts.keys()].sort()).toEqual(files);
  });

  test.each(files)("%s", async (file) => {
    const expected = verdicts.get(file);
    if (!expected) throw new Error("this file has no verdict");
    const events = await readEvents(folder, file);
    for (const { mail } of events) expect(mail.reportToken).toBe(toToken(expected.token));
    if (expected.feedback_type) expectComplaint(events, expected);
    else expectStatus(events, expected);
  });
});

function expectStatus(events: readonly ReportedEvent[], expected: Expected): void {
  const found = events.map((event) => ({
    address: event.recipient,
    kind: event.kind,
    status: event.statusCode,
    bounce_type: event.bounce ? toShownType(event.bounce.type) : null,
    bounce_subtype: event.bounce?.subtype ?? null,
  }));
  const wanted = (expected.recipients ?? []).map(({ action, ...recipient }) => ({
    ...recipient,
    kind: KINDS[action],
  }));
  expect(found).toEqual(wanted);
  if (expected.suppress === null) return;
  for (const event of events) expect(toVerdict(event)).toBe(toExpectedScope(expected.suppress));
}

function expectComplaint(events: readonly ReportedEvent[], expected: Expected): void {
  const type = expected.feedback_type?.split(" ")[0];
  if (type === "auth-failure") {
    expect(events).toEqual([]);
    return;
  }
  expect(events).toHaveLength(1);
  for (const event of events) {
    expect(event.kind).toBe("complained");
    expect(toShownComplaint(event.complaint?.feedbackType)).toBe(type);
    expect(toVerdict(event)).toBe(expected.suppress);
    if (expected.user_agent) expect(event.complaint?.userAgent).toBe(expected.user_agent);
  }
}

test("a report that names no mail of ours can't match one", async () => {
  const known = new Set(
    ["dsn", "arf"].flatMap((folder) =>
      [...readVerdicts<Expected>(folder).values()].map(({ token }) => token),
    ),
  );
  for (const { file, token, is_ours } of readVerdicts<Expected>("attacks").values()) {
    expect({ file, isKnown: known.has(token) }).toEqual({ file, isKnown: is_ours });
  }
  const raw = readMailFile("attacks", "dsn-01-forged-no-token.eml").toString("latin1");
  const report = await returnedSource.prove(Buffer.from(raw.replace(/X-Foyer-Message-Id: .*\n/, "")), {});
  expect(report?.token).toBeNull();
});

test("a complaint names its recipient where the report does, and is sure without it", async () => {
  const read = async (file: string) => (await readEvents("arf", file))[0];
  expect(await read("01-abuse-minimal.eml")).toMatchObject({ recipient: null, complaint: { candidates: 1 } });
  expect(await read("08-abuse-redacted-headers-only.eml")).toMatchObject({
    recipient: null,
    complaint: { candidates: 1 },
  });
  expect(await read("02-abuse-full.eml")).toMatchObject({ recipient: "ok@example.net" });
  expect(await read("11-unknown-feedback-type-opt-out.eml")).toMatchObject({
    complaint: { feedbackType: "opt-out" },
  });
});

test("a complaint of several possible people is of nobody", async () => {
  const raw = readMailFile("arf", "02-abuse-full.eml")
    .toString()
    .replace("Arrival-Date", "Original-Rcpt-To: <redacted@example.net>\nArrival-Date");
  const report = await returnedSource.prove(Buffer.from(raw), {});
  const events = returnedSource.read(report?.content);
  expect(events.map((event) => [event.recipient, event.complaint?.candidates, toVerdict(event)])).toEqual([
    ["ok@example.net", 2, "none"],
    [null, 2, "none"],
  ]);
});

test("the same report has the same key however it comes, another one has another", async () => {
  const raw = readMailFile("dsn", "01-user-unknown-failed.eml");
  const byFolder = await returnedSource.prove(raw, {});
  const byServer = await returnedSource.prove(raw, { recipient: toReturnPath("d165d9e10261").toUpperCase() });
  expect(byServer?.key).toBe(byFolder?.key);
  const keys = new Set<string | undefined>();
  for (const file of listMailFiles("dsn"))
    keys.add((await returnedSource.prove(readMailFile("dsn", file), {}))?.key);
  expect(keys.size).toBe(listMailFiles("dsn").length);
});

test("recipients of one report share its key, which its stored form has too", async () => {
  const report = await returnedSource.prove(readMailFile("dsn", "11-multi-recipient-failed.eml"), {});
  const keys = returnedSource.read(report?.content).map(({ key }) => key);
  expect(keys).toEqual([report?.key, report?.key, report?.key]);
});
