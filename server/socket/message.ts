/**
 * What identifies a message or a join. Clients choose it; it is given back as it came, `21` stays a number.
 */
export type Ref = string | number | null;

/** A topic is text; a number, which the protocol tolerates, matches none and is given back as it came. */
export type Topic = string | number;

/** What a client sent. */
export interface Incoming {
  joinRef: Ref;
  ref: Ref;
  topic: Topic;
  event: string;
  /** Any JSON value, or the bytes of a binary message. Not checked yet. */
  payload: unknown;
}

/** For one client alone. `payload` is JSON, or bytes. */
export interface Push {
  joinRef: Ref;
  ref: Ref;
  topic: Topic;
  event: string;
  payload: unknown;
}

/** The answer to the message `ref`. */
export interface Reply {
  joinRef: Ref;
  ref: Ref;
  topic: Topic;
  status: string;
  response: unknown;
}

/** For every subscriber of a topic: the same bytes for each. */
export interface Broadcast {
  topic: string;
  event: string;
  payload: unknown;
}

/** As it travels: text, or bytes of a binary message. */
export type WireData = string | Uint8Array;
