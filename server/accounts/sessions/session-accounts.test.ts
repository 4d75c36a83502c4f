import { expect, test } from "@jest/globals";
import type { SignedIn } from "#server/base/actor.ts";
import { ACCOUNT } from "../test-account.ts";
import { createSessionAccounts } from "./session-accounts.ts";
import { type SessionWithAccount, toSessionRules } from "./store.ts";

const ROW: SessionWithAccount = {
  ...ACCOUNT,
  token_hash: "",
  previous_token_hash: null,
  rotated_at: null,
  opened_at: "2026-05-01T00:00:00Z",
  last_used_at: "2026-05-31T23:00:00Z",
  expires_at: "2026-06-01T00:00:00Z",
  confirmed_at: "2026-01-01T00:00:00Z",
  ended_at: null,
};

function open() {
  const state = {
    row: ROW as SessionWithAccount | undefined,
    reads: 0,
    isLive: true,
    now: Date.parse("2026-05-01T00:00:00Z"),
    publish: (_modelKey: string | undefined): void => undefined,
    hold: Promise.resolve(),
  };
  const sessions = createSessionAccounts({
    rules: toSessionRules({ sessionDays: 31 }),
    load: async () => {
      state.reads++;
      const { row } = state;
      await state.hold;
      return row;
    },
    feed: {
      subscribe: (listener) => {
        state.publish = listener;
      },
      isLive: () => state.isLive,
    },
    clock: () => state.now,
  });
  return { state, sessions };
}

const PERSON: SignedIn = {
  userId: 7,
  username: "ada",
  level: 10,
  ipAddress: null,
  requestId: null,
  sessionId: "s",
  confirmedAt: Date.parse("2026-01-01T00:00:00Z"),
};

test("a session is read once and then answered without waiting", async () => {
  const { state, sessions } = open();
  const [first, second] = await Promise.all([sessions.find("s"), sessions.find("s")]);
  expect(first?.person).toEqual(PERSON);
  expect(second).toBe(first);
  expect(sessions.find("s")).toBe(first);
  expect(state.reads).toBe(1);
});

test.each(["accounts.user", "accounts.session", "accounts.access_level", undefined])(
  "a notice of %s drops what is cached",
  async (modelKey) => {
    const { state, sessions } = open();
    await sessions.find("s");
    state.row = { ...ROW, is_active: false };
    state.publish(modelKey);
    expect(await sessions.find("s")).toBeUndefined();
  },
);

test("a notice of another model drops nothing", async () => {
  const { state, sessions } = open();
  await sessions.find("s");
  state.publish("cv.certificate");
  await sessions.find("s");
  expect(state.reads).toBe(1);
});

test("what was being read when a notice came is not cached, and later callers read anew", async () => {
  const { state, sessions } = open();
  const held = Promise.withResolvers<void>();
  state.hold = held.promise;
  const early = sessions.find("s");
  state.row = { ...ROW, ended_at: "2026-05-01T00:00:00Z" };
  state.publish("accounts.session");
  state.hold = Promise.resolve();
  expect(await sessions.find("s")).toBeUndefined();
  held.resolve();
  expect((await early)?.person.userId).toBe(7);
  expect(await sessions.find("s")).toBeUndefined();
});

test("nothing cached is used or added while no connection listens", async () => {
  const { state, sessions } = open();
  await sessions.find("s");
  state.isLive = false;
  state.row = undefined;
  expect(await sessions.find("s")).toBeUndefined();
  state.row = ROW;
  await sessions.find("s");
  expect(state.reads).toBe(3);
});

test("a session that was used meanwhile is read again at its cached end", async () => {
  const { state, sessions } = open();
  state.row = { ...ROW, last_used_at: "2026-05-01T00:00:00Z" };
  await sessions.find("s");
  state.now = Date.parse("2026-05-01T12:00:00Z");
  state.row = { ...ROW, last_used_at: "2026-05-01T11:00:00Z" };
  expect((await sessions.find("s"))?.person).toEqual(PERSON);
  state.now = Date.parse("2026-05-01T23:00:00Z");
  expect(await sessions.find("s")).toBeUndefined();
});

test("a read that fails is not cached: the next one tries again", async () => {
  const { state, sessions } = open();
  state.hold = Promise.reject(new Error("connection lost"));
  await expect(sessions.find("s")).rejects.toThrow("connection lost");
  state.hold = Promise.resolve();
  expect((await sessions.find("s"))?.person).toEqual(PERSON);
});
