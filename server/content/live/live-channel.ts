import { LIVE_EVENT_NAME, liveEvent, toLiveTopic } from "#contract/content/objects.ts";
import { accept, type Channel, declareChannel, refuse } from "#server/socket/channel.ts";
import type { LiveEvents } from "./live-events.ts";

interface Listening {
  stop: () => void;
}

/**
 * `admin:{model}`: committed writes of a model, for people who may see it. A model that one may not see and one that doesn't exist
 * are refused alike. Permission is asked at the join, at each event and when the person has changed.
 */
export function createLiveChannel(live: LiveEvents): Channel {
  return declareChannel({
    topic: toLiveTopic("{model}"),
    sends: { [LIVE_EVENT_NAME]: liveEvent },
    join({ params, person }) {
      const listening: Listening = { stop: () => undefined };
      return live.mayReceive(params.model ?? "", person) ? accept(listening) : refuse("unauthorized");
    },
    joined(member) {
      const push = member.push.bind(member, LIVE_EVENT_NAME);
      member.state.stop = live.subscribe(member.params.model ?? "", () => member.person, push);
    },
    mayStay: (member) => live.mayReceive(member.params.model ?? "", member.person),
    left: (member) => member.state.stop(),
    events: {},
  });
}
