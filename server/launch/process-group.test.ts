import { expect, test } from "@jest/globals";
import { settle } from "#test/carriers.ts";
import type { ChildMessage } from "./launched.ts";
import { AGAIN_MS, type Child, keepProcesses } from "./process-group.ts";

interface Started {
  number: number;
  isJoining: boolean;
  port: number | undefined;
  signals: string[];
  isAlone: boolean;
  say(message: ChildMessage): void;
  exit(how: string): void;
}

/** Processes that do what the test says; they end at a signal, but for a first one that owns the database. */
function createGroup(count: number) {
  const started: Started[] = [];
  const said: string[] = [];
  const waits: number[] = [];
  let now = 0;
  const group = keepProcesses({
    count,
    steadyMs: () => now,
    say: (line) => said.push(line),
    async sleep(ms) {
      waits.push(ms);
      now += ms;
    },
    start(options): Child {
      const { promise: exited, resolve: exit } = Promise.withResolvers<string>();
      let tell: (message: ChildMessage) => void = () => undefined;
      const one: Started = { ...options, signals: [], isAlone: false, say: (message) => tell(message), exit };
      started.push(one);
      return {
        exited,
        onMessage(listener) {
          tell = listener;
        },
        tellAlone() {
          one.isAlone = true;
        },
        kill: (signal) => void one.signals.push(signal),
      };
    },
  });
  /** The one that was started last answers. */
  async function answer(ownsDatabase = false): Promise<Started> {
    const one = started.at(-1) as Started;
    one.say({ kind: "ready", port: 4000, ownsDatabase });
    await settle();
    return one;
  }
  return {
    group,
    started,
    said,
    waits,
    answer,
    pass(ms: number) {
      now += ms;
    },
  };
}

test("the first starts alone; the others follow on its port, one after the other", async () => {
  const { started, said, answer } = createGroup(3);
  expect(started).toMatchObject([{ number: 1, isJoining: false, port: undefined }]);
  await answer(true);
  expect(started.at(-1)).toMatchObject({ number: 2, isJoining: true, port: 4000 });
  expect(started).toHaveLength(2);
  await answer();
  await answer();
  expect(started).toHaveLength(3);
  expect(said).toEqual(["3 processes answer."]);
});

test("what can't start at the beginning ends all", async () => {
  const { group, started, said, answer } = createGroup(2);
  const first = await answer(true);
  started[1]?.exit("exit code 1");
  await settle();
  expect(first.signals).toEqual(["SIGTERM"]);
  expect(first.isAlone).toBe(true);
  first.exit("exit code 0");
  expect(await group.ended).toBe(1);
  expect(said).toEqual(["Process 2 of 2 could not start."]);
});

test("one that ends is started again, later each time, and at last all are stopped", async () => {
  const { group, started, said, waits, answer } = createGroup(2);
  const first = await answer(true);
  for (let round = 0; round < 5; round += 1) {
    const second = await answer();
    second.exit("signal SIGKILL");
    await settle();
  }
  expect(waits).toEqual([500, 1_000, 2_000, 4_000, 8_000]);
  expect(started.slice(1).every(({ number, isJoining }) => number === 2 && isJoining)).toBe(true);
  expect(first.signals).toEqual([]);
  const last = await answer();
  last.exit("exit code 1");
  await settle();
  expect(said.at(-1)).toBe("Process 2 of 2 ends again and again (exit code 1): all are stopped.");
  first.exit("exit code 0");
  expect(await group.ended).toBe(1);
});

test("deaths that are far apart are no loop", async () => {
  const { said, started, answer, pass } = createGroup(2);
  await answer(true);
  for (let round = 0; round < 20; round += 1) {
    (await answer()).exit("signal SIGKILL");
    await settle();
    pass(60_001);
  }
  expect(started).toHaveLength(22);
  expect(said.filter((line) => line.includes("again and again"))).toEqual([]);
});

test("where the first owns the database, its end is the others' end, and all start anew", async () => {
  const { started, said, answer } = createGroup(2);
  const first = await answer(true);
  const second = await answer();
  first.exit("signal SIGKILL");
  await settle();
  expect(second.signals).toEqual(["SIGTERM"]);
  expect(started).toHaveLength(2);
  second.exit("exit code 0");
  await settle();
  expect(started).toHaveLength(3);
  expect(started.at(-1)).toMatchObject({ number: 1, isJoining: false, port: 4000 });
  await answer(true);
  expect(started.at(-1)).toMatchObject({ number: 2, isJoining: true });
  expect(said).toContain("Process 1 of 2 ended (signal SIGKILL) and is started again.");
});

test("a first one that leaves by itself waits for the others, which aren't started again meanwhile", async () => {
  const { started, answer } = createGroup(3);
  const first = await answer(true);
  const [second, third] = [await answer(), await answer()];
  first.say({ kind: "leaving" });
  expect([second.signals, third.signals]).toEqual([["SIGTERM"], ["SIGTERM"]]);
  second.exit("exit code 0");
  await settle();
  expect(first.isAlone).toBe(false);
  third.exit("exit code 0");
  await settle();
  expect(first.isAlone).toBe(true);
  expect(started).toHaveLength(3);
});

test("where nobody owns the database, the first is started again beside the others", async () => {
  const { started, answer } = createGroup(2);
  const first = await answer();
  const second = await answer();
  first.exit("signal SIGKILL");
  await settle();
  expect(second.signals).toEqual([]);
  expect(started.at(-1)).toMatchObject({ number: 1, isJoining: true, port: 4000 });
});

test("a signal ends all in order; repeated at once it is the same one, and later it ends them at once", async () => {
  const { group, started, answer, pass } = createGroup(2);
  const first = await answer(true);
  const second = await answer();
  group.stop("SIGINT");
  group.stop("SIGINT");
  expect(first.signals).toEqual(["SIGINT", "SIGINT"]);
  second.exit("exit code 0");
  await settle();
  expect(first.isAlone).toBe(true);
  pass(AGAIN_MS + 1);
  group.stop("SIGINT");
  expect(first.signals.at(-1)).toBe("SIGKILL");
  first.exit("signal SIGKILL");
  expect(await group.ended).toBe(0);
  expect(started).toHaveLength(2);
});

test("a stop asks each process once, though the first one has the others stopped before its database ends", async () => {
  const { group, started, answer, pass } = createGroup(3);
  const first = await answer(true);
  await answer();
  await answer();
  group.stop("SIGTERM");
  pass(AGAIN_MS + 1);
  first.say({ kind: "leaving" });
  expect(started.map(({ signals }) => signals)).toEqual([["SIGTERM"], ["SIGTERM"], ["SIGTERM"]]);
});

test("the first is told that it is alone at a stop only: another one that died is started again", async () => {
  const { group, started, answer } = createGroup(2);
  const first = await answer(true);
  const second = await answer();
  second.exit("killed");
  await settle();
  expect(first.isAlone).toBe(false);
  const again = await answer();
  expect(started).toHaveLength(3);
  group.stop("SIGTERM");
  expect(first.isAlone).toBe(false);
  again.exit("code 0");
  await settle();
  expect(first.isAlone).toBe(true);
});
