import type { LiveProvider } from "@refinedev/core";
import { LIVE_EVENT_NAME, liveEvent } from "#contract/content/objects.ts";
import type { Membership, Socket } from "../socket/socket.ts";
import { receive } from "../socket/topic.ts";

/**
 * Refine's live calls over the socket. A `channel` is a topic (contract/content/objects.ts); `params` and `meta` say nothing
 * more. There is no `publish`: the server publishes what it has stored.
 *
 * The type `*`, which every subscriber gets, says that nothing is known of what was written before now, because the topic is
 * first joined, or again after a loss (`isJoined`); or that nothing will be received any more, because the server has closed or
 * refused it.
 *
 * `lingerMs`: a topic that nobody listens to any more is left that much later. The screen that takes the place of another one
 * often listens to the same model, and need not wait for a join of its own.
 */
export function createLiveProvider(socket: Pick<Socket, "join">, { lingerMs = 0 } = {}): LiveProvider {
  return {
    subscribe({ channel, types, callback }): Pick<Membership, "leave"> {
      let isOver = false;
      const notify = (type: string, payload: { ids: number[]; isMany: boolean; isJoined?: boolean }) => {
        if (!isOver) callback({ channel, type, payload, date: new Date() });
      };
      const membership = socket.join(channel, {
        on: {
          [LIVE_EVENT_NAME]: receive(liveEvent, ({ type, ids, is_many: isMany }) => {
            if (types.includes("*") || types.includes(type)) notify(type, { ids, isMany });
          }),
        },
        onState(state) {
          if (state !== "waiting") notify("*", { ids: [], isMany: true, isJoined: state === "joined" });
        },
      });
      return {
        leave() {
          isOver = true;
          if (lingerMs === 0) membership.leave();
          else setTimeout(membership.leave, lingerMs);
        },
      };
    },
    unsubscribe(subscription: Pick<Membership, "leave">) {
      subscription.leave();
    },
  };
}
