import type { SignedIn } from "../../base/actor.ts";
import type { ConnectionParams } from "../channel.ts";
import type { Serializer, Topic, WireData } from "../serializer.ts";
import type { CloseCode } from "../transport.ts";

/** A client's message or one to a client, in JSON: bytes as base64. */
export type Carried = string | { base64: string };

export const toCarried = (data: WireData): Carried =>
  typeof data === "string" ? data : { base64: Buffer.from(data).toString("base64") };

export const fromCarried = (carried: Carried): string | Buffer =>
  typeof carried === "string" ? carried : Buffer.from(carried.base64, "base64");

/** Who sends the first message of a slot. */
export interface SlotOpening {
  topic: Topic;
  /** The client's connection, by a number of its process. */
  connection: number;
  person: SignedIn;
  params: ConnectionParams;
  version: Serializer["version"];
}

/** From the process of a client to the one that keeps the topic. `slot`: a number that the client's process gave. */
export type ToHome =
  | { slot: number; data: Carried; open?: SlotOpening }
  /** The same person with another level or name. */
  | { slot: number; person: SignedIn }
  /** The client is gone, or its slot is free. */
  | { slot: number; isEnd: true };

/** The other way. */
export type ToOrigin =
  | { slots: number[]; data: Carried }
  /** Nobody is joined there and nothing is awaited, behind so many messages. */
  | { slot: number; freeBehind: number }
  /** Its first message never came there: it is lost. */
  | { slot: number; isUnknown: true }
  /** The connection is to end. */
  | { slot: number; close: CloseCode };

export const TO_HOME = "socket.to_home";
/** Carries a list of them. */
export const TO_ORIGIN = "socket.to_origin";
/** A message to the members of a topic, for its home. */
export const PUBLISH = "socket.publish";
