import { SOCKET_CLIENT } from "#contract/socket.ts";
import type { Ending } from "./socket/attempt.ts";

/** A WebSocket that had worked before is tried so many times: a server that restarts must not leave everybody polling. */
const PATIENCE = 5;

/** What the next attempt goes over, and what the ones before have shown. */
export interface Plan {
  transport: "websocket" | "longpoll";
  /** WebSockets in a row that came to nothing. */
  failures: number;
  hasWebSocketWorked: boolean;
}

export const FIRST_PLAN: Plan = { transport: "websocket", failures: 0, hasWebSocketWorked: false };

/**
 * The plan behind an attempt. What can't be had by WebSocket is asked for by long polling at once. Behind a long poll comes a
 * WebSocket, whatever became of it: what was in the way may be gone, and where both fail, the server is away.
 */
export function toNextPlan(
  plan: Plan,
  { isHealthy, isGivenUp }: Pick<Ending, "isHealthy" | "isGivenUp">,
): { plan: Plan; isAtOnce: boolean } {
  if (plan.transport === "longpoll") {
    return { plan: { ...plan, transport: "websocket" }, isAtOnce: isGivenUp };
  }
  if (isHealthy) return { plan: { ...plan, failures: 0, hasWebSocketWorked: true }, isAtOnce: false };
  const failures = plan.failures + 1;
  const givesWay = failures >= (plan.hasWebSocketWorked ? PATIENCE : 1);
  return {
    plan: { ...plan, failures, transport: givesWay ? "longpoll" : "websocket" },
    isAtOnce: givesWay,
  };
}

/**
 * Milliseconds before try number `tries`, counted from 1: the documented step, or up to a quarter less, so that everybody
 * whom a restart has cut off doesn't come back in the same moment. `random` is from 0 to 1.
 */
export function toReconnectDelayMs(tries: number, random: number): number {
  const { reconnectAfterMs } = SOCKET_CLIENT;
  const stepMs = reconnectAfterMs[Math.min(tries, reconnectAfterMs.length) - 1] ?? 0;
  return stepMs * (1 - random / 4);
}
