import type { CallFault } from "../call/room-state.ts";
import type { VoiceText } from "../voice-text.tsx";

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
