import * as z from "zod/mini";
import { joinDetail } from "#contract/voice/room-channel.ts";
import type { VoiceText } from "../voice-context.tsx";
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

const KEYS = {
  no_microphone: "noMicrophone",
  microphone_refused: "microphoneRefused",
  insecure_page: "insecurePage",
  no_webrtc: "noWebRtc",
  no_output: "noOutput",
  no_token: "noToken",
  no_room: "noRoom",
  no_user: "noUser",
  join_timeout: "joinTimeout",
  connection_timeout: "connectionTimeout",
  connection_failed: "connectionFailed",
  room_not_found: "roomNotFound",
  unauthorized: "unauthorized",
  full: "full",
  banned: "banned",
  closed: "closed",
  engine: "engine",
  failed: "failed",
} as const satisfies Record<Exclude<CallFault["kind"], "audio">, string>;

/** Why the camera's preview is not there. */
export function toCameraText(fault: CallFault, t: VoiceText): string {
  switch (fault.kind) {
    case "insecure_page":
      return t("call:camera.insecurePage");
    case "microphone_refused":
      return t("call:camera.refused");
    case "no_microphone":
      return t("call:camera.none");
    default:
      return t("call:camera.failed", { reason: fault.kind === "audio" ? fault.reason : "" });
  }
}

/** Why one isn't in the room (specification B section 8). */
export function toFaultText(fault: CallFault, t: VoiceText): string {
  return fault.kind === "audio"
    ? t("call:fault.audio", { reason: fault.reason })
    : t(`call:fault.${KEYS[fault.kind]}`);
}
