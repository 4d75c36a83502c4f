import { beforeEach, describe, expect, jest, test } from "@jest/globals";
import { type Http, HttpError } from "#providers/http/http.ts";
import { createContactSender } from "./contact-sender.ts";

const VALUES = { name: "Ada", email: "ada@example.org", subject: "Hello", message: "A message." };
const OTHER = { ...VALUES, message: "Another message." };
const SENT = { success: true, error: null, details: null };

const clock = { now: 0 };
const calls: { challenge: string | undefined; at: number; message: string }[] = [];
/** What the next posts meet, in order; after that they succeed. */
let answers: (unknown | Error)[] = [];
let challengeFault: Error | null = null;
let asked = 0;
let issued = 0;
let worked = 0;

/** A back end on paper: issues c1, c2, … and answers posts as the test says. */
const http = {
  async request(path: string, options: { body?: { challenge?: string; message: string } } = {}) {
    if (path === "/api/contact/challenge/") {
      asked += 1;
      if (challengeFault) throw challengeFault;
      issued += 1;
      return { challenge: `c${issued}`, puzzles: 1, zero_bits: 1, wait_ms: 3000, lifetime_ms: 600_000 };
    }
    calls.push({ challenge: options.body?.challenge, at: clock.now, message: options.body?.message ?? "" });
    const answer = answers.shift() ?? SENT;
    if (answer instanceof Error) throw answer;
    return answer;
  },
} as unknown as Pick<Http, "request">;

function open() {
  return createContactSender({
    http,
    work: async ({ challenge }) => {
      worked += 1;
      return `solved ${challenge}`;
    },
    clock: () => clock.now,
    sleep: async (ms) => {
      clock.now += ms;
    },
  });
}

const refuse = (code: string, status = 400) => new HttpError(code, code, status);

/** What needs no time has happened. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 0));

beforeEach(() => {
  clock.now = 1_000_000;
  calls.length = 0;
  answers = [];
  challengeFault = null;
  asked = 0;
  issued = 0;
  worked = 0;
});

test("one challenge is got and worked off, however often the form is touched", async () => {
  const sender = open();
  for (let touch = 0; touch < 5; touch += 1) sender.prepare();
  await sender.send(VALUES, "");
  expect([issued, worked]).toEqual([1, 1]);
});

test("what is sent is what was typed, the trap and the work", async () => {
  const request = jest.fn(http.request);
  const sender = createContactSender({ http: { request }, work: async () => "1.2", sleep: async () => {} });
  await sender.send(VALUES, "x");
  expect(request.mock.calls[1]).toMatchObject([
    "/api/contact/",
    { method: "POST", body: { ...VALUES, website: "x", challenge: "c1", solution: "1.2" } },
  ]);
});

test("a quick writer waits until the server takes the message, a slow one doesn't", async () => {
  const sender = open();
  const begin = clock.now;
  await sender.send(VALUES, "");
  expect(calls[0]?.at).toBeGreaterThanOrEqual(begin + 3000);
  expect(calls[0]?.at).toBeLessThan(begin + 3500);
  sender.prepare();
  await settle();
  clock.now += 60_000;
  const before = clock.now;
  await sender.send(OTHER, "");
  expect(calls[1]).toEqual({ challenge: "c2", at: before, message: OTHER.message });
});

test("who wrote for longer than a challenge lives gets a new one without noticing", async () => {
  const sender = open();
  sender.prepare();
  await settle();
  clock.now += 590_000;
  await sender.send(VALUES, "");
  expect(calls.map(({ challenge }) => challenge)).toEqual(["c2"]);
});

test("the next message has a challenge of its own", async () => {
  const sender = open();
  await sender.send(VALUES, "");
  await sender.send(OTHER, "");
  expect(calls.map(({ challenge }) => challenge)).toEqual(["c1", "c2"]);
});

describe("when the server refuses the proof", () => {
  test.each([
    "contact_challenge_required",
    "contact_challenge_invalid",
    "contact_challenge_unsolved",
    "contact_challenge_expired",
    "contact_challenge_used",
    "contact_too_fast",
  ])("as %s, it is sent again with a new one", async (code) => {
    answers = [refuse(code)];
    expect(await open().send(VALUES, "")).toEqual(SENT);
    expect(calls.map(({ challenge }) => challenge)).toEqual(["c1", "c2"]);
  });

  test("twice, the refusal is reported", async () => {
    answers = [refuse("contact_challenge_expired"), refuse("contact_challenge_expired")];
    await expect(open().send(VALUES, "")).rejects.toMatchObject({ code: "contact_challenge_expired" });
    expect(calls).toHaveLength(2);
  });
});

describe("when no answer came", () => {
  test.each([
    ["the connection", refuse("network_error", 500)],
    ["the server", refuse("unavailable", 503)],
  ])(
    "because %s broke, the same message goes with the same challenge, even after its time",
    async (_what, fault) => {
      answers = [fault];
      const sender = open();
      await expect(sender.send(VALUES, "")).rejects.toBe(fault);
      clock.now += 3_600_000;
      sender.prepare();
      await sender.send({ ...VALUES }, "");
      expect(calls.map(({ challenge }) => challenge)).toEqual(["c1", "c1"]);
    },
  );

  test("and the text was changed, the server decides whether the challenge is used up", async () => {
    answers = [refuse("network_error", 500), refuse("contact_challenge_used")];
    const sender = open();
    await expect(sender.send(VALUES, "")).rejects.toThrow();
    await sender.send(OTHER, "");
    expect(calls.map(({ challenge }) => challenge)).toEqual(["c1", "c1", "c2"]);
  });
});

test.each([
  ["a refused message", refuse("validation_failed")],
  ["too many messages", refuse("too_many_messages", 429)],
])("%s leaves the challenge good for the next attempt", async (_what, fault) => {
  answers = [fault];
  const sender = open();
  await expect(sender.send(VALUES, "")).rejects.toBe(fault);
  await sender.send(OTHER, "");
  expect(calls.map(({ challenge }) => challenge)).toEqual(["c1", "c1"]);
});

test("an answer without success keeps the challenge too", async () => {
  answers = [{ success: false, error: "Closed on Sundays" }];
  const sender = open();
  expect(await sender.send(VALUES, "")).toMatchObject({ success: false });
  await sender.send(VALUES, "");
  expect(calls.map(({ challenge }) => challenge)).toEqual(["c1", "c1"]);
});

test("while no challenge can be got, touches ask for one every ten seconds", async () => {
  challengeFault = refuse("unavailable", 503);
  const sender = open();
  const touch = async () => {
    sender.prepare();
    await settle();
  };
  for (let key = 0; key < 5; key += 1) await touch();
  expect(asked).toBe(1);
  clock.now += 10_000;
  for (let key = 0; key < 5; key += 1) await touch();
  expect(asked).toBe(2);
});

test("a challenge that could not be got is reported when one sends, and got at the next attempt", async () => {
  challengeFault = refuse("network_error", 500);
  const sender = open();
  sender.prepare();
  await expect(sender.send(VALUES, "")).rejects.toBe(challengeFault);
  challengeFault = null;
  await sender.send(VALUES, "");
  expect(calls.map(({ challenge }) => challenge)).toEqual(["c1"]);
});

test("a back end that asks for no work gets none", async () => {
  challengeFault = refuse("not_found", 404);
  const before = clock.now;
  await open().send(VALUES, "");
  expect(calls).toEqual([{ challenge: undefined, at: before, message: VALUES.message }]);
});
