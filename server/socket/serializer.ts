import type { Broadcast, Incoming, Push, Reply, WireData } from "./message.ts";

/** A message that can't be read; the connection closes with 1011. */
export class DecodeError extends Error {}

/** One version of the protocol's encoding (`vsn`). */
export interface Serializer {
  readonly version: "1" | "2";
  /** @throws DecodeError */
  decodeText(text: string): Incoming;
  /** @throws DecodeError */
  decodeBinary(data: Uint8Array): Incoming;
  encodePush(push: Push): WireData;
  encodeReply(reply: Reply): WireData;
  encodeBroadcast(broadcast: Broadcast): WireData;
}
