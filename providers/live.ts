import type { LiveProvider } from "@refinedev/core";
import { LIVE_EVENT_NAME, liveEvent } from "#contract/live.ts";
import type { Membership, Socket } from "./socket.ts";
import { receive } from "./socket-topic.ts";

/**
 * What an event says. `isCatchUp`: nothing is known of what happened before now, because this is the first moment at which
 * the topic is heard (`isFirst`), or the first one again after a loss.
 */
export type LivePayload =
  | { isCatchUp: false; ids: number[]; isMany: boolean }
  | { isCatchUp: true; ids: []; isMany: true; isFirst: boolean };

/** An event as Refine carries it; catching up has the type `*`, which every subscriber hears. */
export interface LiveChange {
  type: string;
  payload: LivePayload;
}

/**
 * Refine's live calls over the socket. A `channel` is a topic (contract/live.ts); `params` and `meta` say nothing more. There
 * is no `publish`: the server tells of what it has stored.
 */
export function createLiveProvider(socket: Pick<Socket, "join">): LiveProvider {
  return {
    subscribe({ channel, types, callback }): Membership {
      let isFirst = true;
      const tell = ({ type, payload }: LiveChange) => callback({ channel, type, payload, date: new Date() });
      return socket.join(channel, {
        on: {
          [LIVE_EVENT_NAME]: receive(liveEvent, ({ type, ids, is_many }) => {
            if (!types.includes("*") && !types.includes(type)) return;
            tell({ type, payload: { isCatchUp: false, ids, isMany: is_many } });
          }),
        },
        onState(state) {
          if (state !== "joined") return;
          tell({ type: "*", payload: { isCatchUp: true, ids: [], isMany: true, isFirst } });
          isFirst = false;
        },
      });
    },
    unsubscribe(subscription: Membership) {
      subscription.leave();
    },
  };
}
