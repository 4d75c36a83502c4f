import { expect, test } from "@jest/globals";
import { settle } from "#test/carriers.ts";
import { keepDatabase } from "./keep-database.ts";

type Server = Parameters<typeof keepDatabase>[0]["server"];

/** A server that ends as the test says. `refusals`: so many tries to start it again fail. */
function createKept({ refusals = 0 } = {}) {
  const deaths: ((reason: string) => void)[] = [];
  const stopped: number[] = [];
  const said: string[] = [];
  const waits: number[] = [];
  const [sleeping, starting] = [{ current: Promise.resolve() }, { current: Promise.resolve() }];
  let left = refusals;
  let now = 0;
  function start(): Server {
    const { promise: died, resolve } = Promise.withResolvers<{ reason: string }>();
    const number = deaths.push((reason) => resolve({ reason }));
    return {
      died,
      stop: async () => void stopped.push(number),
      async startAgain() {
        await starting.current;
        if (left-- > 0) throw new Error("the disk is full");
        return start();
      },
    };
  }
  const kept = keepDatabase({
    server: start(),
    say: (line) => said.push(line),
    fail: (why) => said.push(`failed: ${why}`),
    steadyMs: () => now,
    async sleep(ms) {
      waits.push(ms);
      now += ms;
      await sleeping.current;
    },
  });
  const die = async (reason = "signal SIGKILL") => {
    deaths.at(-1)?.(reason);
    await settle();
  };
  return { kept, deaths, stopped, said, waits, sleeping, starting, die };
}

test("one that ends by itself is started again, and nothing of its place is given up meanwhile", async () => {
  const { kept, deaths, stopped, said, die } = createKept();
  await die();
  expect([deaths.length, stopped]).toEqual([2, []]);
  expect(said).toEqual(["signal SIGKILL\nIt is started again."]);
  await kept.stop();
  expect(stopped).toEqual([2]);
});

test("one that ends again and again is given up, with the reason", async () => {
  const { deaths, said, waits, die } = createKept();
  for (let round = 0; round < 6; round += 1) await die("exit code 1");
  expect(waits).toEqual([500, 1_000, 2_000, 4_000, 8_000]);
  expect(deaths).toHaveLength(6);
  expect(said.at(-1)).toBe("failed: exit code 1\nIt ends again and again: all are stopped.");
});

test("one that can't be started again is tried later, as often as one that ends", async () => {
  const patient = createKept({ refusals: 2 });
  await patient.die();
  expect(patient.deaths).toHaveLength(2);
  expect(patient.said.slice(1)).toEqual(Array(2).fill("the disk is full\nIt is started again."));

  const { said, die } = createKept({ refusals: 9 });
  await die();
  expect(said.at(-1)).toBe("failed: the disk is full\nIt ends again and again: all are stopped.");
});

test.each([
  ["is about to be started again starts nothing", "sleeping", 1],
  ["is being started again ends the new one", "starting", 2],
] as const)("a stop while it %s", async (_what, stage, last) => {
  const made = createKept();
  const { promise, resolve } = Promise.withResolvers<void>();
  made[stage].current = promise;
  await made.die();
  const stopping = made.kept.stop();
  resolve();
  await stopping;
  expect([made.deaths.length, made.stopped]).toEqual([last, [last]]);
});
