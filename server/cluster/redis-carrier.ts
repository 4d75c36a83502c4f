import type { Carrier } from "./link.ts";
import type { Redis } from "./redis.ts";

/**
 * Carries by Redis' publish and subscribe. `site` keeps sites apart that share a Redis: channels know no numbers of databases.
 * PUBLISH says how many heard it, so that a process whose connection broke is missed with the first message to it.
 */
export function createRedisCarrier(redis: Redis, site: string): Carrier {
  const toChannel = (address: string) => `foyer:${site}:${address}`;
  return {
    get isUp() {
      return redis.isUp;
    },
    onChange: (listener) => redis.onChange(listener),
    hear: (address, onText) => redis.subscribe(toChannel(address), onText),
    unhear: (address) => redis.unsubscribe(toChannel(address)),
    send: (address, text) => redis.publish(toChannel(address), text),
    close: async () => undefined, // whoever opened the connection closes it
  };
}
