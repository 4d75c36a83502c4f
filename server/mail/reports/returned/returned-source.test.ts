import { describe, expect, test } from "@jest/globals";
import { readMime } from "./read-mime.ts";
import { readReturned } from "./returned-source.ts";
import { CODE, TOKEN, toReport } from "./test-returned.ts";

const readEvents = async (raw: Buffer) => readReturned(await readMime(raw));

describe("delivery reports of many hands", () => {
  test("fields in any order, folded, with spaces in empty lines and CRLF", async () => {
    const status = `Status:
  5.1.1 (no such user)
action: FAILED
original-recipient: RFC822 ; <Nobody@example.net>
FINAL-RECIPIENT: rfc822;box@inside.example
 \t
Action: delayed
Final-Recipient: rfc822; slow@example.net
Status: 4.4.1`;
    const raw = Buffer.from(toReport({ status }).toString().replaceAll("\n", "\r\n"));
    expect(
      (await readEvents(raw)).map(({ kind, recipient, statusCode }) => [kind, recipient, statusCode]),
    ).toEqual([
      ["bounced", "Nobody@example.net", "5.1.1"],
      ["delayed", "slow@example.net", "4.4.1"],
    ]);
  });

  test("addresses that aren't ASCII, as they are and escaped", async () => {
    const status = `Final-Recipient: utf-8; öğrenci@örnek.example
Action: failed
Status: 5.1.1

Original-Recipient: utf-8; \\x{F6}\\x{11F}renci@example.net
Final-Recipient: x400; /C=XX/S=NOBODY/
Action: failed
Status: 5.1.1`;
    const events = await readEvents(toReport({ status, type: "message/global-delivery-status" }));
    expect(events.map(({ recipient }) => recipient)).toEqual([
      "öğrenci@örnek.example",
      "öğrenci@example.net",
    ]);
  });

  test("the first of two equal fields counts", async () => {
    const status =
      "Final-Recipient: rfc822; a@example.net\nAction: delayed\nAction: failed\nStatus: 4.4.1\nStatus: 5.1.1";
    expect(await readEvents(toReport({ status }))).toMatchObject([{ kind: "delayed", statusCode: "4.4.1" }]);
  });

  test.each(["relayed", "expanded", "delivered"])("%s is delivered", async (action) => {
    const status = `Final-Recipient: rfc822; a@example.net\nAction: ${action}\nStatus: 2.0.0`;
    expect(await readEvents(toReport({ status }))).toMatchObject([{ kind: "delivered" }]);
  });

  test.each(["constructor", "exploded", ""])("an action %j is no news", async (action) => {
    const status = `Final-Recipient: rfc822; a@example.net\nAction: ${action}\nStatus: 5.1.1`;
    expect(await readEvents(toReport({ status }))).toEqual([]);
  });

  test("when, by whom and why", async () => {
    const status = `Final-Recipient: rfc822; a@example.net
Action: failed
Status: 5.2.2
Last-Attempt-Date: Fri, 20 Nov 2026 12:00:00 +0100
Diagnostic-Code: smtp; 552 5.2.2 mailbox full`;
    expect(await readEvents(toReport({ status }))).toEqual([
      {
        kind: "bounced",
        key: expect.stringMatching(/^[0-9a-f]{40}$/),
        occurredAt: "2026-11-20T11:00:00.000Z",
        recipient: "a@example.net",
        mail: { reportToken: TOKEN },
        bounce: { type: "Transient", subtype: "MailboxFull", isCertain: true },
        statusCode: "5.2.2",
        diagnostic: "552 5.2.2 mailbox full",
        reportingServer: "mx.example",
      },
    ]);
  });

  test("Exim's reason is the one in its own lines, not in those of another recipient", async () => {
    const text = `The following address(es) failed:

  gone@example.net
    Unrouteable address

  slow@example.net
    retry timeout exceeded
  far@example.net
    host mx.example.net [192.0.2.1]
    SMTP error from remote mail server after RCPT TO:<far@example.net>:
    550 5.1.1 No such user`;
    const status = ["gone", "slow", "far"]
      .map((name) => `Action: failed\nFinal-Recipient: rfc822;${name}@example.net\nStatus: 5.0.0`)
      .join("\n\n");
    const events = await readEvents(toReport({ text, status }));
    expect(events.map(({ bounce, statusCode }) => [bounce?.type, bounce?.subtype, statusCode])).toEqual([
      ["Permanent", "General", "5.0.0"],
      ["Undetermined", "General", "5.0.0"],
      ["Permanent", "NoEmail", "5.1.1"],
    ]);
    expect(events[0]?.diagnostic).toContain("Unrouteable address");
  });

  test("an old Exim's mail without a report is a bounce that staff is asked about", async () => {
    const raw = Buffer.from(`X-Failed-Recipients: nobody@example.net
Auto-Submitted: auto-replied
To: back+b-${TOKEN}@foyer.example

This message was created automatically by mail delivery software.

  nobody@example.net
    Unrouteable address

------ This is a copy of the message, including all the headers. ------

Subject: ${CODE} is your code`);
    expect(await readEvents(raw)).toMatchObject([
      {
        kind: "bounced",
        recipient: "nobody@example.net",
        bounce: { type: "Permanent", isCertain: false },
      },
    ]);
  });

  test("of a report whose recipients can't be read the text alone condemns nobody", async () => {
    const text = "<slow@example.net>: 550 5.1.1 user unknown";
    expect(await readEvents(toReport({ text, status: "Action: failed\nStatus: 5.1.1" }))).toEqual([]);
  });

  test("a bounce of a bounce is nobody's", async () => {
    const status = `Final-Recipient: rfc822; back+b-${TOKEN}@foyer.example\nAction: failed\nStatus: 5.1.1`;
    expect(await readEvents(toReport({ status }))).toEqual([]);
  });
});
