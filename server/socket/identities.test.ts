import { setImmediate as turn } from "node:timers/promises";
import { afterEach, expect, jest, test } from "@jest/globals";
import type { SignedIn } from "../base/actor.ts";
import { type IdentityWatch, watchIdentities } from "./identities.ts";

function toPerson(userId: number, level = 1): SignedIn {
  const nowhere = { ipAddress: null, userAgent: null, requestId: null };
  return { ...nowhere, userId, username: `user${userId}`, level, sessionId: `session${userId}` };
}

let watch: IdentityWatch | undefined;
afterEach(() => {
  watch?.close();
  jest.useRealTimers();
});

/** Time passes; what was going on before is done, and what it set going. */
async function advance(ms: number): Promise<void> {
  await turn();
  jest.advanceTimersByTime(ms);
  await turn();
}

/** Open connections of users 1, 2 and 3; the test says who they are by now. */
function createWatch() {
  const open = [1, 2, 3].map((userId) => ({ person: toPerson(userId), effects: [] as string[] }));
  const asked: (readonly string[])[] = [];
  const warnings: string[] = [];
  let now = new Map(open.map(({ person }) => [person.sessionId, person]));
  let answer: () => Promise<void> = async () => undefined;
  let note: (userIds: readonly number[] | undefined) => void = () => undefined;
  watch = watchIdentities({
    identities: {
      subscribe: (listener) => {
        note = listener;
      },
      async find(sessionIds) {
        asked.push(sessionIds);
        await answer();
        return now;
      },
    },
    *list(userIds) {
      for (const connection of open)
        if (!userIds || userIds.has(connection.person.userId))
          yield {
            person: connection.person,
            changePerson(person) {
              connection.person = person;
              connection.effects.push(`level ${person.level}`);
            },
            disconnect: () => connection.effects.push("out"),
          };
    },
    log: { warn: (_details, message) => void warnings.push(message) },
  });
  return {
    asked,
    warnings,
    effects: () => open.map(({ effects }) => effects.join(",")),
    note: (userIds?: readonly number[]) => note(userIds),
    setNow: (...people: SignedIn[]) => {
      now = new Map(people.map((person) => [person.sessionId, person]));
    },
    setAnswer: (next: () => Promise<void>) => {
      answer = next;
    },
  };
}

test("who is signed out is disconnected, who changed is changed, nobody else is touched", async () => {
  const { note, setNow, effects } = createWatch();
  setNow(toPerson(2, 10), toPerson(3));
  note(undefined);
  await turn();
  expect(effects()).toEqual(["out", "level 10", ""]);
});

test("a notice that names people asks for their sessions alone, in one query", async () => {
  const { note, asked } = createWatch();
  note([2, 3, 77]);
  await turn();
  expect(asked).toEqual([["session2", "session3"]]);
});

test("a notice about people without a connection asks nothing", async () => {
  const { note, asked } = createWatch();
  note([77]);
  await turn();
  expect(asked).toEqual([]);
});

test("notices during a look lead to one more look", async () => {
  const { note, asked, setAnswer, setNow, effects } = createWatch();
  const { promise, resolve } = Promise.withResolvers<void>();
  setAnswer(() => promise);
  note([1]);
  note([2]);
  note([3]);
  setAnswer(async () => undefined);
  setNow(toPerson(1), toPerson(2));
  resolve();
  await turn();
  expect(asked).toEqual([["session1"], ["session2", "session3"]]);
  expect(effects()).toEqual(["", "", "out"]);
});

test("everybody is asked about once a minute: a session may merely run out", async () => {
  jest.useFakeTimers();
  const { asked, setNow, effects } = createWatch();
  await advance(59_999);
  expect(asked).toEqual([]);
  setNow(toPerson(1), toPerson(2));
  await advance(1);
  expect(asked).toEqual([["session1", "session2", "session3"]]);
  expect(effects()).toEqual(["", "", "out"]);
  await advance(60_000);
  expect(asked).toHaveLength(2);
});

test("a database that can't be asked throws nobody out and is asked again", async () => {
  jest.useFakeTimers();
  const { note, warnings, setAnswer, setNow, effects } = createWatch();
  setAnswer(() => Promise.reject(new Error("gone")));
  setNow();
  note([1]);
  await advance(999);
  expect(warnings).toHaveLength(1);
  expect(effects()).toEqual(["", "", ""]);
  setAnswer(async () => undefined);
  await advance(1);
  expect(effects()).toEqual(["out", "out", "out"]);
});

test("each notice is counted, so that who was admitted before it is asked about", () => {
  const { note } = createWatch();
  const before = watch?.noticeCount ?? 0;
  note([77]);
  expect(watch?.noticeCount).toBe(before + 1);
});

test("a question about one person is no notice, and asks about that person", async () => {
  const { asked } = createWatch();
  const before = watch?.noticeCount;
  watch?.check(77);
  watch?.check(2);
  await turn();
  expect(watch?.noticeCount).toBe(before);
  expect(asked).toEqual([["session2"]]);
});
