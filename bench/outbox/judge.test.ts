import { expect, test } from "@jest/globals";
import { judge } from "./judge.ts";
import type { SinkCopy } from "./sink.ts";

const REGISTRATION = { username: "bench_1_1", email: "bench_1_1@foyer.example", status: 201 };
const MAIL = { message_id: "<1@foyer.example>", status: "sent", attempts: 1, response: "250 ok" };
const ACCOUNT = { username: "bench_1_1", mails: [MAIL] };
const COPY: SinkCopy = {
  messageId: "<1@foyer.example>",
  recipient: "bench_1_1@foyer.example",
  code: "123456",
  acceptedAt: 2_000,
  closedAt: null,
};
const CUT: SinkCopy = { ...COPY, acceptedAt: null, closedAt: 1_000 };

test("a mail that was cut before its 250 and sent again is what the bench is about", () => {
  const verdict = judge([REGISTRATION], [ACCOUNT], [CUT, COPY]);
  expect(verdict).toMatchObject({ cutBeforeReceipt: 1, repeatedAfterCut: 1, faults: [] });
});

test("a bench none of whose kills hit a mail has shown nothing", () => {
  expect(judge([REGISTRATION], [ACCOUNT], [COPY]).faults).toEqual([
    "no kill came between the end of a message and its 250",
  ]);
});
