import type { Channel } from "./channel.ts";

/** A channel, and what stands in the place of `{…}` in its topic. */
export interface Match {
  channel: Channel;
  params: Readonly<Record<string, string>>;
}

/** `voice:room:{room}`: everything but `{name}` is literal, and a name holds no colon. @throws Error for other signs. */
function toPattern(topic: string): RegExp {
  if (!/^([\w:-]|\{\w+\})+$/.test(topic)) throw new Error(`${topic} is no topic of a channel`);
  return new RegExp(`^${topic.replaceAll(/\{(\w+)\}/g, "(?<$1>[^:]+)")}$`);
}

/** Finds the channel of a topic; the first one that was declared wins. */
export function createTopicTable(channels: readonly Channel[]): (topic: string) => Match | undefined {
  const table = channels.map((channel) => ({ channel, pattern: toPattern(channel.topic) }));
  return (topic) => {
    for (const { channel, pattern } of table) {
      const match = pattern.exec(topic);
      if (match) return { channel, params: { ...match.groups } };
    }
    return undefined;
  };
}
