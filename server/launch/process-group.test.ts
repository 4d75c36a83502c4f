import { expect, test } from "@jest/globals";
import { settle } from "#test/carriers.ts";
import type { ChildMessage } from "./launched.ts";
import { type Child, keepProcesses } from "./process-group.ts";

interface Started {
  number: number;
  isJoining: boolean;
  port: number | undefined;
  signals: string[];
  say(message: ChildMessage): void;
  exit(how: string): void;
}

/** Processes that do what the test says. */
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
      const one: Started = { ...options, signals: [], say: (message) => tell(message), exit };
      started.push(one);
      return {
        exited,
        onMessage(listener) {
          tell = listener;
        },
        kill: (signal) => void one.signals.push(signal),
      };
    },
  });
  /** The one that was started last answers. */
  async function answer(): Promise<Started> {
    const one = started.at(-1) as Started;
    one.say({ port: 4000 });
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
  await answer();
  expect(started.at(-1)).toMatchObject({ number: 2, isJoining: true, port: 4000 });
  expect(started).toHaveLength(2);
  await answer();
  await answer();
  expect(started).toHaveLength(3);
  expect(said).toEqual(["3 processes answer."]);
});

test("what can't start at the beginning ends all", async () => {
  const { group, started, said, answer } = createGroup(2);
  const first = await answer();
  started[1]?.exit("exit code 1");
  await settle();
  expect(first.signals).toEqual(["SIGTERM"]);
  first.exit("exit code 0");
  expect(await group.ended).toBe(1);
  expect(said).toEqual(["Process 2 of 2 could not start (exit code 1)."]);
});

test("one that ends is started again, later each time, and at last all are stopped", async () => {
  const { group, started, said, waits, answer } = createGroup(2);
  const first = await answer();
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
  await answer();
  for (let round = 0; round < 20; round += 1) {
    (await answer()).exit("signal SIGKILL");
    await settle();
    pass(60_001);
  }
  expect(started).toHaveLength(22);
  expect(said.filter((line) => line.includes("again and again"))).toEqual([]);
});

test("the first is started again beside the others, as one that joins them", async () => {
  const { started, answer } = createGroup(2);
  const first = await answer();
  const second = await answer();
  first.exit("signal SIGKILL");
  await settle();
  expect(second.signals).toEqual([]);
  expect(started.at(-1)).toMatchObject({ number: 1, isJoining: true, port: 4000 });
});

test("a signal goes to all, and none is started again", async () => {
  const { group, started, answer } = createGroup(2);
  const first = await answer();
  const second = await answer();
  group.stop("SIGINT");
  second.exit("exit code 0");
  await settle();
  group.stop("SIGKILL");
  expect([first.signals, second.signals]).toEqual([["SIGINT", "SIGKILL"], ["SIGINT"]]);
  first.exit("signal SIGKILL");
  expect(await group.ended).toBe(0);
  expect(started).toHaveLength(2);
});

test("ends are counted for each process: all of them at once are no loop", async () => {
  const { started, said, answer, group } = createGroup(8);
  for (let number = 1; number <= 8; number += 1) await answer();
  for (const one of started.slice()) one.exit("signal SIGKILL");
  await settle();
  expect(started.slice(8).map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  expect(said.filter((line) => line.includes("again and again"))).toEqual([]);
  group.stop("SIGTERM");
});

test("one that is started again and ends before it answers is named with how it ended", async () => {
  const { started, said, answer, group } = createGroup(2);
  await answer();
  (await answer()).exit("signal SIGKILL");
  await settle();
  started.at(-1)?.exit("exit code 1");
  await settle();
  expect(said.slice(-2)).toEqual([
    "Process 2 of 2 ended (signal SIGKILL) and is started again.",
    "Process 2 of 2 ended (exit code 1) and is started again.",
  ]);
  group.stop("SIGTERM");
});

test("what fails besides them ends all with a word, and exit code 1", async () => {
  const { group, started, said, answer } = createGroup(2);
  await answer();
  await answer();
  group.fail("the database is gone");
  group.fail("and something else");
  expect(started.map(({ signals }) => signals)).toEqual([["SIGTERM"], ["SIGTERM"]]);
  for (const one of started) one.exit("exit code 0");
  expect(await group.ended).toBe(1);
  expect(said.slice(1)).toEqual(["the database is gone"]);
});
