import * as z from "zod/mini";
import { joinDetail } from "#contract/voice-channel.ts";
import type { CallFault } from "./room-state.ts";

const refusal = z.object({ reason: z._default(z.string(), ""), detail: z.optional(z.string()) });

/** Why the server doesn't let somebody in: the documented reason, and beside it what exactly stands against them. */
export function readRefusal(answer: unknown): CallFault {
  const { data } = refusal.safeParse(answer);
  const { data: detail } = joinDetail.safeParse(data?.detail);
  if (detail && detail !== "ticket") return { kind: detail };
  const reason = data?.reason;
  if (reason === "room_not_found" || reason === "unauthorized") return { kind: reason };
  return { kind: reason === "timeout" ? "join_timeout" : "failed" };
}

/** Why there is no microphone, or no camera, by the name of what `getUserMedia` throws. */
export function readMicrophoneFault(error: unknown, isSecure = window.isSecureContext): CallFault {
  // Such a page has no `mediaDevices` to ask.
  if (!isSecure) return { kind: "insecure_page" };
  const { name, message } = error as DOMException;
  switch (name) {
    case "NotAllowedError":
    case "SecurityError":
      return { kind: "microphone_refused" };
    case "NotFoundError":
    case "OverconstrainedError":
      return { kind: "no_microphone" };
    default:
      return { kind: "audio", reason: message || name };
  }
}
