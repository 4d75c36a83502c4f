import type { PresenceEntry } from "./presence.ts";

/** A message to the members of a topic, wherever they are connected. `payload` is JSON, or bytes. */
export interface BusMessage {
  event: string;
  payload: unknown;
  /** Id of the member who is left out: who sent it. */
  except?: string;
  /** Key of the members who alone get it. */
  only?: string;
}

/** What changed in a topic's presence. An update is one of each. */
export interface PresenceChange {
  joins: readonly PresenceEntry[];
  leaves: readonly PresenceEntry[];
}

export interface BusListener {
  onMessage(message: BusMessage): void;
  onPresence(change: PresenceChange): void;
}

/**
 * What joins the processes of a site: messages to topics, and who is present in them. In one process it is a map; with
 * several, Redis will carry the same calls, and nothing above this interface changes.
 */
export interface Bus {
  /** Hears what is sent to a topic, in the order of each sender. At most one listener per topic and process. */
  subscribe(topic: string, listener: BusListener): () => void;
  /** Reaches listeners of this process before it returns. */
  publish(topic: string, message: BusMessage): void;
  changePresence(topic: string, change: PresenceChange): void;
  /** Who is present, over all processes, as far as this one knows. */
  listPresence(topic: string): Iterable<PresenceEntry>;
}
