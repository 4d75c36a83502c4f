import { voiceRoomsAnswer } from "#contract/voice/rooms.ts";
import type { KeptSession } from "./session.ts";

/** Rooms of which a process says that another number of people sit there. Asked at each process, by somebody who sees all rooms. */
export async function findWrongCounts(
  ports: readonly number[],
  { session }: KeptSession,
  expected: number,
): Promise<string[]> {
  const headers = { authorization: `Bearer ${await session.getAccessToken()}` };
  const wrong: string[] = [];
  for (const [index, port] of ports.entries()) {
    const answer = await fetch(`http://127.0.0.1:${port}/voice/rooms`, { headers });
    const { data } = voiceRoomsAnswer.parse(await answer.json());
    for (const { name, participant_count } of data)
      if (participant_count !== expected)
        wrong.push(`process ${index} counts ${participant_count} in ${name}`);
  }
  return wrong;
}
