import type { IncomingHttpHeaders } from "node:http";
import type { SignedIn } from "../base/actor.ts";
import type { ConnectionParams } from "./channel.ts";
import type { Incoming, Serializer } from "./serializer.ts";
import type { Transport } from "./transport.ts";

/** What a client says when it connects, the same for both transports. */
export interface Handshake {
  query: URLSearchParams;
  headers: Pick<IncomingHttpHeaders, "origin" | "host">;
  /** Of the client, behind a trusted proxy too. */
  address: string;
  /** From the subprotocol or the header; else the query's `token` or `access_token` counts. */
  authToken: string | undefined;
}

/** A client that may connect. */
export interface Admission {
  person: SignedIn;
  params: ConnectionParams;
  serializer: Serializer;
}

/** What the owner of a transport calls. */
export interface Connection {
  /** One message: text, or the bytes of a binary one. Never throws; may close the transport. */
  receive(data: string | Buffer): void;
  /** The client is gone, or was cut off: its channels end. Any number of times. */
  end(): void;
}

/** One topic of one connection, whichever process keeps the topic. */
export interface Slot {
  readonly isJoined: boolean;
  /** Nobody is joined and nothing is awaited: the slot can go. */
  readonly isFree: boolean;
  /** @param bytes What the message weighs while it waits. @param data The message as it came. */
  receive(message: Incoming, bytes: number, data: string | Buffer): void;
  /** The person has changed: may they stay? */
  review(): void;
  /** The client is gone. */
  end(): void;
}

export interface SocketRules {
  maxFrameBytes: number;
  idleTimeoutMs: number;
  maxChannels: number;
  maxBufferedBytes: number;
  messageBurst: number;
  messagesPerS: number;
  handshakesPerMinute: number;
  maxConnectionsPerPerson: number;
  /** How long a poll waits for messages. A session without a poll ends after one and a half of it. */
  longPollWindowMs: number;
  /** Changes of presence within so long travel as one message; 0 sends each at the end of the turn. */
  presenceWindowMs: number;
  /** How long clients have to answer a close before they are cut, in a stop of the server. */
  drainTimeoutMs: number;
}

/** All connections of this process. */
export interface Sockets {
  readonly rules: SocketRules;
  /** The process is about to end: who comes now is to come again, to another one. */
  readonly isDraining: boolean;
  /** Undefined: refused. What can be refused without the database is, before it is asked. Never rejects for a bad client. */
  admit(handshake: Handshake): Admission | undefined | Promise<Admission | undefined>;
  open(admission: Admission, transport: Transport): Connection;
  /**
   * To the channel of a topic's members, or of those with that key: a kick, a mute by a moderator. Of a homed topic wherever it is kept, of
   * any other in this process. `payload` is JSON.
   */
  signal(topic: string, event: string, payload: unknown, key?: string): void;
  /** To the members of a topic, from outside of any channel; as far as `signal`. `payload` is JSON. */
  broadcast(topic: string, event: string, payload: unknown): void;
  /** Open connections and joined channels, for those who watch. */
  count(): { connections: number; channels: number };
  /** Refuses newcomers and closes everybody: 1012 for who has joined a channel or is joining one, 1000 for who is idle. */
  drain(): void;
  /** Stops following who people are. Behind `drain`. */
  close(): void;
}
