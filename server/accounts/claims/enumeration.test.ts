import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import type { LightMyRequestResponse } from "fastify";
import { until } from "#test/until.ts";
import { withFloor } from "../answers.ts";
import { type AccountsFixture, OWNER, openAccounts } from "../fixture.ts";
import { PASSWORD } from "../test-registration.ts";

const HOUR_MS = 3_600_000;

/** The time before whose end nobody is answered: over at once, or when a test says so. */
const floor = {
  over: Promise.resolve(),
  /** Calls whose work is done and that wait for it. */
  waiting: 0,
};

let accounts: AccountsFixture;
beforeAll(async () => {
  accounts = await openAccounts({
    answerFloor: () => ({
      // biome-ignore lint/suspicious/noThenProperty: what awaits it has done its work.
      then(onOver, onFault) {
        floor.waiting += 1;
        return floor.over.then(onOver, onFault);
      },
    }),
  });
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

/** Answers of calls that began together, none of which came while one was at work: both are there when the floor's time is over. */
async function answerTogether(calls: readonly (() => Promise<LightMyRequestResponse>)[]) {
  const over = Promise.withResolvers<void>();
  Object.assign(floor, { over: over.promise, waiting: 0 });
  let answered = 0;
  const answers = calls.map(async (call) => {
    const answer = await call();
    answered += 1;
    return answer;
  });
  await until(() => floor.waiting === calls.length);
  expect(answered).toBe(0);
  over.resolve();
  return Promise.all(answers);
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
      const [known, unknown] = await answerTogether([() => call(knownAddress), () => call(NOBODY)]);
      if (!known || !unknown) throw new Error("somebody was not answered");
      expect(toSeen(known, knownAddress)).toEqual(toSeen(unknown, NOBODY));
    }
  },
);

test("the time before whose end nobody is answered begins before the work, also before work that fails", async () => {
  const order: string[] = [];
  const begin = async () => void order.push("floor");
  await withFloor(begin, async () => order.push("work"));
  const failing = withFloor(begin, async () => {
    order.push("fault");
    throw new Error("broken");
  });
  await expect(failing).rejects.toThrow("broken");
  expect(order).toEqual(["floor", "work", "floor", "fault"]);
});

test("who asks for more codes than an address is sent is answered the same as well", async () => {
  for (let asked = 0; asked < 12; asked++) {
    accounts.clock.now += 61_000;
    const answers = await Promise.all([OWNER.email, NOBODY].map((email) => askForReset(email)));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
    const [known, unknown] = answers.map((answer) => ({
      ...answer.json(),
      ticket: answer.json().ticket.length,
    }));
    expect(known).toEqual(unknown);
  }
});

test("a wrong password answers like an unknown username, in words, headers and steps", async () => {
  const before = { ...accounts.counts };
  const [known, unknown] = ["Owner_1", "Nobody1"].map(
    (username) => () => accounts.logIn({ username, password: "Wrong-horse-1" }),
  ) as [() => Promise<LightMyRequestResponse>, () => Promise<LightMyRequestResponse>];
  const rounds = 5;
  for (let round = 0; round < rounds; round++)
    expect(toSeen(await known(), "Owner_1")).toEqual(toSeen(await unknown(), "Nobody1"));
  // A hash is most of the time: without one the answer would come several times as fast.
  expect(accounts.counts.known - before.known).toBe(rounds);
  expect(accounts.counts.unknown - before.unknown).toBe(rounds);
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
