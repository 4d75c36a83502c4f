import type { Finding } from "#server/health/service.ts";
import type { RelayState } from "./probe-relay.ts";

/** What the health page says of it: healthy where browsers of a voice room can reach each other, also where routers let only a relay through. */
export function toRelayFinding(state: RelayState): Finding {
  switch (state.kind) {
    case "works":
      // From this machine the firewall can't be seen.
      return state.ports
        ? { status: "healthy", reason: "relay_local", vars: { ...state.ports } }
        : { status: "healthy" };
    case "none":
      return { status: "warning", reason: "relay_none" };
    case "stun_only":
      return { status: "warning", reason: "relay_stun_only" };
    case "silent": {
      const { address, ports } = state;
      return ports
        ? { status: "critical", reason: "relay_silent_local", vars: { address, ...ports } }
        : { status: "critical", reason: "relay_silent", vars: { address } };
    }
    case "refuses":
      return {
        status: "critical",
        reason: toRefusalText(state.code),
        vars: { address: state.address, code: state.code },
      };
    case "private":
      return {
        status: "critical",
        reason: "relay_private",
        vars: { address: state.address, relayed: state.relayed },
      };
    case "stopped":
      return { status: "critical", reason: "relay_stopped", vars: { fault: state.fault } };
  }
}

/** RFC 8656: 486 this person has enough, 508 the relay has no more. */
function toRefusalText(code: number): "relay_wrong_secret" | "relay_full" | "relay_refuses" {
  if (code === 401) return "relay_wrong_secret";
  return code === 486 || code === 508 ? "relay_full" : "relay_refuses";
}
