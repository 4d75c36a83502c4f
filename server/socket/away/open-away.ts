import type { Match } from "../channel.ts";
import type { Topic } from "../serializer.ts";
import type { Slot, SocketRules } from "../sockets.ts";
import type { SlotConnection } from "../topic-slot.ts";
import type { TopicMessage, Topics } from "../topics.ts";
import { openOriginDesk } from "./away-slot.ts";
import { openHomeDesk } from "./home-desk.ts";
import { createHomes, type ProcessLink } from "./homes.ts";
import { PUBLISH } from "./wire.ts";

interface AwayDeps {
  /** Undefined: this process is alone, and keeps every topic. */
  link: ProcessLink | undefined;
  topics: Topics;
  rules: Pick<SocketRules, "maxBufferedBytes">;
  findChannel(topic: string): Match | undefined;
  log: SlotConnection["log"];
  /** Topics may be kept by other processes from now on. */
  onMove(): void;
}

/** What the sockets of a site's processes have to do with each other. */
export interface Away {
  isKeptHere(topic: Topic): boolean;
  /** @throws Error where the topic is kept here */
  open(connection: SlotConnection, topic: Topic): Slot;
  publish(topic: string, message: TopicMessage): void;
}

interface Published {
  topic: string;
  message: TopicMessage;
}

export function openAway(deps: AwayDeps): Away {
  const { link, topics, findChannel } = deps;
  if (!link)
    return {
      isKeptHere: () => true,
      open() {
        throw new Error("there is no other process");
      },
      publish: topics.publish,
    };
  const homes = createHomes(link);
  const isHomed = (topic: string) => findChannel(topic)?.channel.isHomed === true;
  const origin = openOriginDesk(link);
  openHomeDesk({ ...deps, link, homes });
  homes.onChange(deps.onMove);
  link.on(PUBLISH, (body) => {
    const { topic, message } = body as Published; // see `publish`
    topics.publish(topic, message);
  });
  return {
    isKeptHere: (topic) => typeof topic !== "string" || !isHomed(topic) || homes.isHere(topic),
    open: (connection, topic) => origin.open(connection, topic, homes.find(String(topic))),
    publish(topic, message) {
      if (!isHomed(topic) || homes.isHere(topic)) topics.publish(topic, message);
      else link.send(homes.find(topic), PUBLISH, { topic, message });
    },
  };
}
