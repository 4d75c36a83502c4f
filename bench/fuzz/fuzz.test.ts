import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { pino } from "pino";
import { createTestApp, type TestApp } from "#test/app.ts";
import { toChannelWords } from "./channel-words.ts";
import { openRooms } from "./measure-frames.ts";
import { type FrameFuzz, runFrames } from "./run-frames.ts";
import { type FuzzSite, readField, runRequests, toKnown } from "./run-requests.ts";

/** `bench:fuzz` in short: the same requests and frames each time. */
const SEED = 20;
const REQUESTS = 2_500;
const FRAMES = 1_500;

/** What the server says at level error, which no request may bring about. */
const errors: string[] = [];
const log = pino({ level: "error" }, { write: (line) => void errors.push(line) });
/** Limits count in windows of minutes: an hour of theirs passes in a few seconds, so that they hide little of what comes behind them. */
const HASTE = 1_000;
let site: TestApp;
let fuzzSite: FuzzSite;
let signInToSocket: () => Promise<string>;
beforeAll(async () => {
  site = await createTestApp({
    publicUrl: null,
    trustProxy: true,
    steadyMs: () => performance.now() * HASTE,
    log,
  });
  let people = 0;
  const signIn = (level: number) => site.signInAs(level, `fuzz_${++people}`);
  const url = await site.listen();
  fuzzSite = {
    port: Number(new URL(url).port),
    signIn: async (level) => (await signIn(level)).authorization,
  };
  signInToSocket = async () => (await signIn(1)).accessToken;
});
afterAll(async () => {
  await site.close();
});

test("no broken request is answered by a fault of the server's", async () => {
  const field = await readField(fuzzSite, await toKnown(site.database.pool));
  const { faults, statuses } = await runRequests(fuzzSite, field, { seed: SEED, count: REQUESTS });
  expect(faults).toEqual([]);
  expect(errors).toEqual([]);
  // The fuzz reaches what stands behind the checks, too.
  for (const status of [200, 201, 400, 401, 403, 404, 415])
    expect(statuses.get(status) ?? 0).toBeGreaterThan(0);
});

test("no broken frame or post to the channels is answered by a fault of the server's", async () => {
  const fuzz: FrameFuzz = {
    port: fuzzSite.port,
    seed: SEED,
    words: toChannelWords(["cv.certificate", "site.page"]),
    topics: await openRooms(fuzzSite),
    signIn: signInToSocket,
    left: FRAMES,
    connections: 0,
    ends: new Map(),
    faults: [],
  };
  await runFrames(fuzz);
  expect(fuzz.faults).toEqual([]);
  expect(errors).toEqual([]);
  expect(fuzz.connections).toBeGreaterThan(20);
});
