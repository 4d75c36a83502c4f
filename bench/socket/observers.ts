import { Agent } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { pace, waitUntil } from "./fleet.ts";
import { type LightClient, openLightClient } from "./light-client.ts";
import { openPollSession, PollClient } from "./poll-client.ts";
import { Resident } from "./resident.ts";
import { OBSERVED_ROOM, toTopic } from "./room-channel.ts";

/** The last one polls. */
const COUNT = 4;
const LOCAL_ADDRESS = "127.0.0.1";
const MESSAGES_PER_S = 20;
const ARRIVAL_MS = 20_000;

/** People in a room of their own who talk all the time; anything but their own talk is a fault that ends the bench. */
export interface Observers {
  count: number;
  /** Talks until it is told to stop, then waits for what is on its way. Both numbers are those of all receivers. */
  talkWhile(isGoingOn: () => boolean): Promise<{ sent: number; received: number }>;
  close(): void;
}

export async function openObservers(port: number, tokens: readonly string[]): Promise<Observers> {
  const clients: (LightClient | PollClient)[] = [];
  const agent = new Agent({ keepAlive: true });
  const residents = Array.from(
    { length: COUNT },
    (_, index) =>
      new Resident({ userId: index + 1, topic: toTopic(OBSERVED_ROOM), firstId: 1, roomSize: COUNT }),
  );

  async function open(index: number, onText: (text: string) => void) {
    const token = tokens[index] ?? "";
    if (index < COUNT - 1) return openLightClient({ port, token, localAddress: LOCAL_ADDRESS, onText });
    const call = { port, localAddress: LOCAL_ADDRESS, agent };
    return new PollClient(call, await openPollSession({ ...call, accessToken: token }), onText);
  }

  for (const [index, resident] of residents.entries()) {
    const client = await open(index, (text) => resident.receive(text));
    clients.push(client);
    resident.client = client;
    resident.join();
  }
  await waitUntil("the observers know each other", () => residents.every((resident) => resident.knowsAll));

  return {
    count: COUNT,
    async talkWhile(isGoingOn) {
      const countDelivered = () => residents.reduce((sum, resident) => sum + resident.delivered, 0);
      const before = countDelivered();
      let spoken = 0;
      while (isGoingOn())
        await pace(COUNT, MESSAGES_PER_S, (index) => {
          residents[index]?.speak();
          if (spoken % (COUNT * MESSAGES_PER_S) === index) residents[index]?.beat();
          spoken += 1;
        });
      const sent = spoken * (COUNT - 1);
      const received = () => countDelivered() - before;
      const deadline = performance.now() + ARRIVAL_MS;
      while (received() < sent && performance.now() < deadline) await sleep(5);
      return { sent, received: received() };
    },
    close() {
      for (const client of clients) client.close();
      agent.destroy();
    },
  };
}
