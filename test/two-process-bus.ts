import type { PresenceChange } from "#server/socket/presence.ts";
import { type Bus, type BusMessage, createLocalBus } from "#server/socket/topics.ts";

interface Packet {
  topic: string;
  message?: BusMessage;
  change?: PresenceChange;
}

/** JSON has no bytes. */
function revive(_key: string, value: unknown): unknown {
  return typeof value === "object" && value !== null && "bytes" in value
    ? Buffer.from(String(value.bytes), "hex")
    : value;
}

function toText({ message, ...packet }: Packet): string {
  if (!(message?.payload instanceof Uint8Array)) return JSON.stringify({ ...packet, message });
  const payload = { bytes: Buffer.from(message.payload).toString("hex") };
  return JSON.stringify({ ...packet, message: { ...message, payload } });
}

/** The two ends of a bus between processes: what one says is JSON, and `delayMs` later at the other. */
export function createTwoProcessBus(delayMs: number): { ends: [Bus, Bus]; countUnderWay(): number } {
  const ends: [Bus, Bus] = [createLocalBus(), createLocalBus()];
  let underWay = 0;

  function connect(here: Bus, there: Bus): Bus {
    function send(packet: Packet): void {
      const text = toText(packet);
      underWay += 1;
      setTimeout(() => {
        underWay -= 1;
        const { topic, message, change }: Packet = JSON.parse(text, revive);
        if (message) there.publish(topic, message);
        if (change) there.changePresence(topic, change);
      }, delayMs);
    }
    return {
      ...here,
      publish(topic, message) {
        here.publish(topic, message);
        send({ topic, message });
      },
      changePresence(topic, change) {
        here.changePresence(topic, change);
        send({ topic, change });
      },
    };
  }
  return {
    ends: [connect(ends[0], ends[1]), connect(ends[1], ends[0])],
    countUnderWay: () => underWay,
  };
}
