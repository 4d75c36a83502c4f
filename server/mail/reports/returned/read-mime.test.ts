import { describe, expect, test } from "@jest/globals";
import { readMime } from "./read-mime.ts";
import { findReportToken, RETURNED_LIMITS } from "./returned-mail.ts";
import { readReturned } from "./returned-source.ts";
import { CODE, listMailFiles, readMailFile, TOKEN, toReport, toReturnPath } from "./test-returned.ts";

const readEvents = async (raw: Buffer) => readReturned(await readMime(raw));

describe("what is kept", () => {
  test("neither subjects, nor bodies, nor a code", async () => {
    const text = `Your message "${CODE} is your code" failed:
<nobody@example.net>: 550 refused: ${CODE} is your code
The subject was =?utf-8?B?NDkzMDI3IGlzIHlvdXIgY29kZQ==?= they said

> Subject: ${CODE} is your code
The secret letter`;
    const status = `Final-Recipient: rfc822; nobody@example.net
Action: failed
Status: 5.7.1
Diagnostic-Code: smtp; 550 5.7.1 (${CODE} is your code)
 refused`;
    const kept = JSON.stringify(await readMime(toReport({ text, status })));
    expect(kept).not.toContain(CODE);
    expect(kept).not.toMatch(/secret letter|Subject|Undelivered|NDkzMDI3/);
    expect(kept).toContain("550 5.7.1 (•••••• is your code) refused");
    expect(kept).toContain("550 refused: •••••• is your code");
  });

  test("nothing of what a person's machine answers", async () => {
    const mail = await readMime(readMailFile("dsn", "25-vacation.eml"));
    expect(mail).toMatchObject({ kind: "auto-reply", excerpt: null });
    expect(JSON.stringify(mail)).not.toMatch(/Monday|Out of office/);
  });

  test.each(["dsn", "arf", "attacks"])("of test/mail/%s no subject and no body of ours", async (folder) => {
    for (const file of listMailFiles(folder)) {
      const kept = JSON.stringify(await readMime(readMailFile(folder, file)));
      expect({ file, kept }).toEqual({
        file,
        kept: expect.not.stringMatching(/code is|verification code|kodunuz/i),
      });
      expect(kept.length).toBeLessThan(6_000);
    }
  });

  test("nothing that PostgreSQL can't store as JSON", async () => {
    const raw = toReport({
      status:
        "Final-Recipient: rfc822; a\u0000@example.net\nAction: fai\u0000led\nDiagnostic-Code: smtp; \u0000x",
      text: `<a@example.net>: ${"\u{1F600}".repeat(800)}`,
    });
    const kept = JSON.stringify(await readMime(raw));
    expect(kept).not.toMatch(/\\u0000|\\ud[89a-f]/i);
  });
});

describe("whose mail it was", () => {
  test.each<[string, Parameters<typeof toReport>[0], string | undefined]>([
    ["the address", { original: "X: y" }, TOKEN],
    [
      "the address in capitals",
      { to: `BACK+B-${TOKEN.toUpperCase()}@FOYER.EXAMPLE`, original: "X: y" },
      TOKEN,
    ],
    [
      "our envelope id",
      { to: "x@y.example", original: "X: y", perMessage: `Original-Envelope-Id: ${TOKEN}` },
      TOKEN,
    ],
    [
      "our envelope id in xtext",
      { to: "x@y.example", original: "X: y", perMessage: `Original-Envelope-Id: +30${TOKEN.slice(1)}` },
      TOKEN,
    ],
    ["our header", { to: "fbl@foyer.example" }, TOKEN],
    ["our header below a line", { to: "x@y.example", original: `\nX-Foyer-Message-Id:\n ${TOKEN}` }, TOKEN],
    ["nothing", { to: "back@foyer.example", original: "Message-ID: <7@foyer.example>" }, undefined],
    ["a body's word", { to: "x@y.example", original: `A: b\n\nX-Foyer-Message-Id: ${TOKEN}` }, undefined],
    ["a token that is too long", { to: `back+b-${TOKEN}0@foyer.example`, original: "X: y" }, undefined],
  ])("by %s", async (_, fields, token) => {
    expect(findReportToken(await readMime(toReport(fields)))).toBe(token);
  });

  test("the envelope goes before the headers; of headers the one that names a mail", async () => {
    const raw = toReport({});
    expect((await readMime(raw, "other@foyer.example")).recipient).toBe("other@foyer.example");
    const delivered = Buffer.concat([
      Buffer.from(`Delivered-To: vmail@host.example\nX-Original-To: ${toReturnPath("d165d9e10261")}\n`),
      raw,
    ]);
    expect((await readMime(delivered)).recipient).toBe(toReturnPath("d165d9e10261"));
    const plain = Buffer.concat([
      Buffer.from("Delivered-To: vmail@host.example\n"),
      toReport({ to: "x@y.example" }),
    ]);
    expect((await readMime(plain)).recipient).toBe("vmail@host.example");
  });
});

describe("what nobody should send", () => {
  test("more recipients than one report may have: the rest is not read", async () => {
    const status = Array.from(
      { length: 500 },
      (_, index) => `Final-Recipient: rfc822; a${index}@example.net\nAction: failed\nStatus: 5.1.1`,
    ).join("\n\n");
    expect(await readEvents(toReport({ status }))).toHaveLength(RETURNED_LIMITS.recipients);
  });

  test.each<[string, Buffer]>([
    ["nothing", Buffer.alloc(0)],
    ["zeros", Buffer.alloc(100_000)],
    ["noise", Buffer.from(Array.from({ length: 50_000 }, (_, index) => (index * 7919) % 256))],
    ["a mail that is too large", Buffer.concat([toReport({}), Buffer.alloc(RETURNED_LIMITS.mailBytes, "a")])],
    [
      "a thousand parts in each other",
      Buffer.from(
        Array.from(
          { length: 1_000 },
          (_, n) => `Content-Type: multipart/mixed; boundary="n${n}"\n\n--n${n}`,
        ).join("\n"),
      ),
    ],
    ["headers without an end", Buffer.from(`A: ${"b".repeat(600_000)}`)],
    ["a report-type alone", Buffer.from("Content-Type: multipart/report; report-type=delivery-status\n\nx")],
    ["an open line of lists", Buffer.from(`To: ${"<a@b>,".repeat(20_000)}\n\nHi. This is the end`)],
  ])("%s has no events and stops nothing", async (_, raw) => {
    const mail = await readMime(raw);
    expect(readReturned(mail)).toEqual([]);
  });

  test("of a mail of a million lines only the beginning is read", async () => {
    const original = `X-Foyer-Message-Id: ${TOKEN}\n\n${"\n".repeat(RETURNED_LIMITS.mailLines)}`;
    const raw = Buffer.from(
      toReport({ original })
        .toString()
        .replace("--b--", `--b\nContent-Type: ${"x".repeat(40)}`),
    );
    expect(await readEvents(raw)).toMatchObject([{ kind: "bounced", mail: { reportToken: TOKEN } }]);
    const late = Buffer.concat([Buffer.from("A: b\n".repeat(RETURNED_LIMITS.mailLines)), toReport({})]);
    expect(await readEvents(late)).toEqual([]);
  });

  test("a diagnosis without an end is cut", async () => {
    const [event] = await readEvents(readMailFile("attacks", "dsn-05-huge-diagnostic.eml"));
    expect(event?.diagnostic).toHaveLength(500);
  });

  test("what isn't a scrubbed mail is not understood", () => {
    for (const content of [null, {}, { kind: "delivery-status" }, "x"])
      expect(() => readReturned(content)).toThrow();
  });
});
