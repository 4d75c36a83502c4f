import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import type { LightMyRequestResponse } from "fastify";
import { type AccountsFixture, OWNER, openAccounts } from "./fixture.ts";
import { PASSWORD } from "./test-registration.ts";

/** More than the work takes on a busy machine. */
const FLOOR_MS = 500;
/** Answers that take longer than the floor by more than this would stand out. */
const TIMING_CLASS_MS = 150;
const HOUR_MS = 3_600_000;

let accounts: AccountsFixture;
beforeAll(async () => {
  accounts = await openAccounts({ answerFloorMs: FLOOR_MS });
  await accounts.pool.query("UPDATE account_user SET admin_language = 'tr'");
});
afterAll(() => accounts.close());
beforeEach(() => {
  accounts.clock.now += HOUR_MS;
});

/** Everything that a stranger sees, without what differs from call to call by chance. */
function toSeen(answer: LightMyRequestResponse, given: string) {
  const body = JSON.parse(answer.body.replaceAll(given, "GIVEN"));
  for (const name of ["request_id", "ticket"]) if (name in body) body[name] = body[name].length;
  const headers = Object.fromEntries(
    Object.entries(answer.headers).filter(([name]) => !["date", "content-length"].includes(name)),
  );
  return { status: answer.statusCode, headers, body };
}

async function measure(run: () => Promise<LightMyRequestResponse>) {
  const begin = performance.now();
  const answer = await run();
  return { answer, ms: performance.now() - begin };
}

const NOBODY = "nobody@example.net";
const CLAIMED = "claimed@example.net";

let count = 0;
type Call = (email: string) => Promise<LightMyRequestResponse>;
const toCall =
  (url: string, toMore: () => object = () => ({})): Call =>
  (email) =>
    accounts.send("POST", url, { payload: { email, ...toMore() } });
const NEW_PASSWORD = { password: PASSWORD, password_confirm: PASSWORD };
const register = toCall("/api/users/register/", () => ({ username: `new_${++count}`, ...NEW_PASSWORD }));
const askForCode = toCall("/api/users/request-verification/");
const askForReset = toCall("/api/users/password/forgot/");
const typeCode = toCall("/api/users/verify-email/", () => ({ otp_code: "000000" }));
const reset = toCall("/api/users/password/reset/", () => ({ otp_code: "000000", ...NEW_PASSWORD }));

/** `known` is told apart from an address that nobody gave; `prepare` is done before. */
interface Case {
  what: string;
  call: Call;
  known: string;
  prepare?: () => Promise<unknown>;
}

const CASES: Case[] = [
  { what: "registering", call: register, known: OWNER.email },
  { what: "asking for a code", call: askForCode, known: OWNER.email },
  {
    what: "asking for a code for an address that is only claimed",
    call: askForCode,
    known: CLAIMED,
    prepare: () => register(CLAIMED),
  },
  { what: "asking for a new password", call: askForReset, known: OWNER.email },
  {
    what: "typing a code",
    call: typeCode,
    known: CLAIMED,
    prepare: () => Promise.all([register(CLAIMED), askForCode(NOBODY)]),
  },
  {
    what: "setting a new password",
    call: reset,
    known: OWNER.email,
    prepare: () => Promise.all([askForReset(OWNER.email), askForReset(NOBODY)]),
  },
];

test.each(CASES)(
  "$what answers the same for an address with and without an account, also the second time",
  async ({ call, known: knownAddress, prepare }) => {
    await prepare?.();
    for (let round = 0; round < 2; round++) {
      const [known, unknown] = await Promise.all([
        measure(() => call(knownAddress)),
        measure(() => call(NOBODY)),
      ]);
      expect(toSeen(known.answer, knownAddress)).toEqual(toSeen(unknown.answer, NOBODY));
      for (const { ms } of [known, unknown]) expect(ms).toBeGreaterThanOrEqual(FLOOR_MS - 2);
      // Against each other: a busy machine is slow for both.
      expect(Math.abs(known.ms - unknown.ms)).toBeLessThan(TIMING_CLASS_MS);
    }
  },
);

test("who asks for more codes than an address is sent is answered the same as well", async () => {
  for (let asked = 0; asked < 12; asked++) {
    accounts.clock.now += 61_000;
    const answers = await Promise.all([OWNER.email, NOBODY].map((email) => askForReset(email)));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
    expect(answers[0]?.json()).toEqual(answers[1]?.json());
  }
});

test("a wrong password answers like an unknown username, in words, headers and steps", async () => {
  const before = { ...accounts.counts };
  const [known, unknown] = ["Owner_1", "Nobody1"].map(
    (username) => () => accounts.logIn({ username, password: "Wrong-horse-1" }),
  ) as [() => Promise<LightMyRequestResponse>, () => Promise<LightMyRequestResponse>];
  const times: { known: number[]; unknown: number[] } = { known: [], unknown: [] };
  for (let round = 0; round < 5; round++) {
    const first = await measure(known);
    const second = await measure(unknown);
    expect(toSeen(first.answer, "Owner_1")).toEqual(toSeen(second.answer, "Nobody1"));
    times.known.push(first.ms);
    times.unknown.push(second.ms);
  }
  expect(accounts.counts.known - before.known).toBe(accounts.counts.unknown - before.unknown);
  const toMedian = (values: number[]) => values.sort((a, b) => a - b)[2] ?? 0;
  // A hash is most of the time: without one the answer would come several times as fast.
  const ratio = toMedian(times.known) / toMedian(times.unknown);
  expect(ratio).toBeGreaterThan(0.5);
  expect(ratio).toBeLessThan(2);
});

test("a username that is refused for now is refused alike, whether it exists or not", async () => {
  const seen = [];
  for (const username of ["Owner_1", "Nobody1"]) {
    for (let tries = 0; tries < 5; tries++) await accounts.logIn({ username, password: "Wrong-horse-1" });
    seen.push(toSeen(await accounts.logIn({ username }), username));
  }
  expect(seen[0]).toMatchObject({ status: 429 });
  expect(seen[0]).toEqual(seen[1]);
});
