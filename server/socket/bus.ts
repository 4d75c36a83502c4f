import type { PresenceChange, PresenceEntry } from "./presence.ts";

/** A message to the members of a topic, wherever they are connected. `payload` is JSON, or bytes. */
export interface BusMessage {
  event: string;
  payload: unknown;
  /** Id of the member who is left out: who sent it. */
  except?: string;
  /** Key of the members who alone get it. */
  only?: string;
  /** For the channel of each member, not for its client. */
  isSignal?: true;
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
  /** Reaches the listener of this process before it returns. */
  publish(topic: string, message: BusMessage): void;
  changePresence(topic: string, change: PresenceChange): void;
  /** Who is present, over all processes, as far as this one knows. */
  listPresence(topic: string): Iterable<PresenceEntry>;
}

/** The bus of a single process. */
export function createLocalBus(): Bus {
  const listeners = new Map<string, BusListener>();
  const present = new Map<string, Map<string, PresenceEntry>>();

  return {
    subscribe(topic, listener) {
      listeners.set(topic, listener);
      return () => {
        if (listeners.get(topic) === listener) listeners.delete(topic);
      };
    },
    publish: (topic, message) => listeners.get(topic)?.onMessage(message),
    changePresence(topic, change) {
      const entries = present.get(topic) ?? new Map<string, PresenceEntry>();
      for (const { ref } of change.leaves) entries.delete(ref);
      for (const entry of change.joins) entries.set(entry.ref, entry);
      if (entries.size > 0) present.set(topic, entries);
      else present.delete(topic);
      listeners.get(topic)?.onPresence(change);
    },
    listPresence: (topic) => present.get(topic)?.values() ?? [],
  };
}
