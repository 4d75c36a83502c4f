import type { Redis } from "./redis.ts";

/** How texts get from one process of the site to the others. Of one sender they arrive in the order in which they were sent, or not at all. */
export interface Carrier {
  /** False: nothing is carried. What was under way when it went is lost. */
  readonly isUp: boolean;
  onChange(listener: (isUp: boolean) => void): void;
  /** Hears what is sent to an address, or to all, from now on. */
  hear(address: string, onText: (text: string) => void): Promise<void>;
  unhear(address: string): Promise<void>;
  /** @returns how many heard it; undefined where the carrier doesn't know. Rejects where it is away. */
  send(address: string, text: string): Promise<number | undefined>;
  close(): Promise<void>;
}

/** `site` keeps sites apart that share a Redis: channels know no numbers of databases. */
export const toChannel = (site: string, address: string) => `foyer:${site}:${address}`;

/**
 * Carries by Redis' publish and subscribe.
 * PUBLISH says how many heard it, so that a process whose connection broke is missed with the first message to it.
 */
export function createRedisCarrier(redis: Redis, site: string): Carrier {
  return {
    get isUp() {
      return redis.isUp;
    },
    onChange: (listener) => redis.onChange(listener),
    hear: (address, onText) => redis.subscribe(toChannel(site, address), onText),
    unhear: (address) => redis.unsubscribe(toChannel(site, address)),
    send: (address, text) => redis.publish(toChannel(site, address), text),
    close: async () => undefined, // whoever opened the connection closes it
  };
}
