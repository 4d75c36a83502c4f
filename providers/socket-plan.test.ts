/** @jest-environment node */
import { expect, test } from "@jest/globals";
import { SOCKET_CLIENT } from "#contract/socket.ts";
import { FIRST_PLAN, toNextPlan, toReconnectDelayMs } from "./socket-plan.ts";

test("a WebSocket that never worked gives way at once, one that had worked after five tries", () => {
  expect(toNextPlan(FIRST_PLAN, false)).toMatchObject({ plan: { transport: "longpoll" }, isAtOnce: true });
  let { plan } = toNextPlan(FIRST_PLAN, true);
  const tried: string[] = [];
  for (let n = 0; n < 6; n += 1) {
    tried.push(plan.transport);
    plan = toNextPlan(plan, false).plan;
  }
  expect(tried).toEqual([...Array(5).fill("websocket"), "longpoll"]);
});

test("a long poll that works is kept, one that doesn't gives the WebSocket its turn after a pause", () => {
  const polling = { ...FIRST_PLAN, transport: "longpoll" as const };
  expect(toNextPlan(polling, true)).toMatchObject({ plan: { transport: "longpoll" }, isAtOnce: false });
  expect(toNextPlan(polling, false)).toMatchObject({ plan: { transport: "websocket" }, isAtOnce: false });
});

test("delays are the documented steps, or up to a quarter less, and the last one repeats", () => {
  const steps = SOCKET_CLIENT.reconnectAfterMs;
  expect(steps.map((_step, at) => toReconnectDelayMs(at + 1, 0))).toEqual([...steps]);
  expect(toReconnectDelayMs(100, 0)).toBe(5000);
  expect(toReconnectDelayMs(100, 1)).toBe(3750);
});
