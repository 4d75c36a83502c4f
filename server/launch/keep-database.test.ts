import { expect, test } from "@jest/globals";
import { settle } from "#test/carriers.ts";
import { keepDatabase } from "./keep-database.ts";

/** Servers that end as the test says. */
async function createKept({ refuses = () => false }: { refuses?: (started: number) => boolean } = {}) {
  const deaths: ((reason: string) => void)[] = [];
  const stopped: number[] = [];
  const said: string[] = [];
  const waits: number[] = [];
  let now = 0;
  const sleeping = { current: Promise.resolve() };
  const kept = await keepDatabase({
    async start() {
      if (refuses(deaths.length)) throw new Error("the disk is full");
      const { promise: died, resolve } = Promise.withResolvers<{ reason: string }>();
      const number = deaths.push((reason) => resolve({ reason }));
      return { died, stop: async () => void stopped.push(number) };
    },
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
  return { kept, deaths, stopped, said, waits, sleeping, die };
}

test("one that ends by itself is started again, behind what is left of it", async () => {
  const { kept, deaths, stopped, said, die } = await createKept();
  await die();
  expect(deaths).toHaveLength(2);
  expect(stopped).toEqual([1]);
  expect(said).toEqual(["signal SIGKILL\nIt is started again."]);
  await kept.stop();
  expect(stopped).toEqual([1, 2]);
});

test("one that ends again and again is given up, with the reason", async () => {
  const { deaths, said, waits, die } = await createKept();
  for (let round = 0; round < 6; round += 1) await die("exit code 1");
  expect(waits).toEqual([500, 1_000, 2_000, 4_000, 8_000]);
  expect(deaths).toHaveLength(6);
  expect(said.at(-1)).toBe("failed: exit code 1\nIt ends again and again: all are stopped.");
});

test("one that can't be started again is given up", async () => {
  const { said, die } = await createKept({ refuses: (started) => started > 0 });
  await die();
  expect(said.at(-1)).toBe("failed: the disk is full");
});

test("a first start that fails is the caller's", async () => {
  await expect(createKept({ refuses: () => true })).rejects.toThrow("the disk is full");
});

test("a stop while it is about to be started again starts nothing", async () => {
  const { kept, deaths, stopped, sleeping, die } = await createKept();
  const { promise, resolve } = Promise.withResolvers<void>();
  sleeping.current = promise;
  await die();
  const stopping = kept.stop();
  resolve();
  await stopping;
  expect([deaths.length, stopped]).toEqual([1, [1]]);
});
