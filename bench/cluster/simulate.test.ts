import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import {
  COSTS,
  compareToRecorded,
  drawScaling,
  findPeople,
  listSizes,
  PICTURE,
  simulate,
  toCost,
  toGathered,
  toWays,
} from "./simulate.ts";

test.each([
  // There and back with the answer half of the time; to the other process unless all eight are at the home: 1 − 1/256.
  [2, 8, 1 + 255 / 256],
  // 3/4 twice; each of three others has one of two people with 1 − 9/16.
  [4, 2, 1.5 + 3 * (7 / 16)],
  [1, 8, 0],
])(
  "%i processes and rooms of %i: %f messages between processes for one of a client",
  (processes, size, ways) => {
    expect(toWays(processes, size)).toBeCloseTo(ways, 12);
  },
);

test("what comes seldom is done at once, much in one go", () => {
  expect(toGathered(0.01, 100)).toBeCloseTo(0.01, 5);
  expect(toGathered(100, 100)).toBeCloseTo(100 * (1 - 1 / Math.E), 10);
  expect(toGathered(5_000, 100)).toBeCloseTo(100, 10);
});

test("a thousand people: 200 in rooms, 100 messages a second, each for eight and answered", () => {
  const clients = { events: 100, deliveries: 900, heartbeats: expect.closeTo(33.333, 3) };
  const none = { ways: 0, packets: 0, wakesToSend: 0, wakesToReceive: 0 };
  expect(simulate(1, 1_000)).toEqual({ ...clients, ...none });
  // 99.8 a second each way, and each of two beats is heard by both.
  const packets = 200 * (1 - Math.exp(-0.998046875)) + 4;
  expect(simulate(2, 1_000)).toEqual({
    ...clients,
    ways: expect.closeTo(199.609375, 9),
    packets: expect.closeTo(packets, 9),
    wakesToSend: expect.closeTo(200 * (1 - Math.exp(-1.008046875)), 9),
    wakesToReceive: expect.closeTo(2_000 * (1 - Math.exp(-packets / 2_000)), 9),
  });
});

test("costs add up, those of Redis apart", () => {
  const counts = { events: 1e6, deliveries: 2e6, heartbeats: 3e6, ways: 4e6, packets: 5e6 };
  const { cores, redisShare } = toCost({ ...counts, wakesToSend: 6e6, wakesToReceive: 7e6 });
  const { event, delivery, heartbeat, way, packet, wakeToSend, wakeToReceive } = COSTS;
  const clients = event + 2 * delivery + 3 * heartbeat;
  expect(cores).toBeCloseTo(clients + 4 * way + 5 * packet + 6 * wakeToSend + 7 * wakeToReceive, 9);
  expect(redisShare).toBeCloseTo(4 * COSTS.wayInRedis + 5 * COSTS.packetInRedis + 6 * COSTS.wakeOfRedis, 9);
});

test("so many people as are found use the share that was asked for", () => {
  expect(toCost(simulate(4, findPeople(4, 0.5))).cores).toBeCloseTo(2, 2);
});

/** The more there is to do, the more is done in one go: a message costs less than half. The model has one price. */
test("the model is within a factor of two of what was recorded", () => {
  const factors = compareToRecorded().map(({ factor }) => factor);
  expect(Math.max(...factors)).toBeLessThan(2);
  expect(Math.min(...factors)).toBeGreaterThan(0.5);
});

test("the sizes in the docs are what is computed", () => {
  const page = readFileSync(join(import.meta.dirname, "../../docs/scaling.md"), "utf8");
  expect(listSizes().filter((row) => !page.includes(`${row}\n`))).toEqual([]);
});

test("the picture in the docs is what is drawn", () => {
  expect(readFileSync(PICTURE, "utf8")).toBe(drawScaling());
});
