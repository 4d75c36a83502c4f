/** @jest-environment node */
import { expect, test } from "@jest/globals";
import { SOCKET_CLIENT } from "#contract/socket.ts";
import { FIRST_PLAN, toNextPlan, toReconnectDelayMs } from "./attempt.ts";

const FAILED = { isHealthy: false, isGivenUp: false };
const HEALTHY = { isHealthy: true, isGivenUp: false };
const GIVEN_UP = { isHealthy: true, isGivenUp: true };

test("a WebSocket that never worked gives way at once, one that had worked after five tries", () => {
  expect(toNextPlan(FIRST_PLAN, FAILED)).toMatchObject({ plan: { transport: "longpoll" }, isAtOnce: true });
  let { plan } = toNextPlan(FIRST_PLAN, HEALTHY);
  const tried: string[] = [];
  for (let n = 0; n < 6; n += 1) {
    tried.push(plan.transport);
    plan = toNextPlan(plan, FAILED).plan;
  }
  expect(tried).toEqual([...Array(5).fill("websocket"), "longpoll"]);
});

test("behind a long poll a WebSocket has its turn: after a pause, or at once where the poll was given up for it", () => {
  const polling = { ...FIRST_PLAN, transport: "longpoll" as const };
  for (const [ending, isAtOnce] of [
    [FAILED, false],
    [HEALTHY, false],
    [GIVEN_UP, true],
  ] as const) {
    expect(toNextPlan(polling, ending)).toMatchObject({ plan: { transport: "websocket" }, isAtOnce });
  }
});

test("delays are the documented steps, or up to a quarter less, and the last one repeats", () => {
  const steps = SOCKET_CLIENT.reconnectAfterMs;
  expect(steps.map((_step, at) => toReconnectDelayMs(at + 1, 0))).toEqual([...steps]);
  expect(toReconnectDelayMs(100, 0)).toBe(5000);
  expect(toReconnectDelayMs(100, 1)).toBe(3750);
});
