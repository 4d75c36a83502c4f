import type { LiveProvider } from "@refinedev/core";
import { LIVE_EVENT_NAME, liveEvent } from "#contract/live.ts";
import type { Membership, Socket } from "./socket.ts";
import { receive } from "./socket-topic.ts";

/**
 * Refine's live calls over the socket. A `channel` is a topic (contract/live.ts); `params` and `meta` say nothing more. There
 * is no `publish`: the server tells of what it has stored.
 *
 * The type `*`, which every subscriber hears, says that nothing is known of what was written before now, because the topic is
 * first heard, or again after a loss; or that nothing will be heard any more, because the server has closed or refused it.
 */
export function createLiveProvider(socket: Pick<Socket, "join">): LiveProvider {
  return {
    subscribe({ channel, types, callback }): Membership {
      const tell = (type: string, payload: { ids: number[]; isMany: boolean }) =>
        callback({ channel, type, payload, date: new Date() });
      return socket.join(channel, {
        on: {
          [LIVE_EVENT_NAME]: receive(liveEvent, ({ type, ids, is_many: isMany }) => {
            if (types.includes("*") || types.includes(type)) tell(type, { ids, isMany });
          }),
        },
        onState(state) {
          if (state !== "waiting") tell("*", { ids: [], isMany: true });
        },
      });
    },
    unsubscribe(subscription: Membership) {
      subscription.leave();
    },
  };
}
