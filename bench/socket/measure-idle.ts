import { setTimeout as sleep } from "node:timers/promises";
import { SOCKET_CLIENT } from "#contract/socket.ts";
import { startBenchServer } from "./bench-server.ts";
import type { Figure } from "./figure.ts";
import { Fleet } from "./fleet.ts";

const CONNECTIONS = 2000;
const ROOM_SIZE = 10;
const JOINS_PER_S = 400;
const SECONDS = 60;
const BAR = 0.03;

/** What people cost who are only there, with their heartbeats every 30 s. */
export async function measureIdle(): Promise<Figure[]> {
  const server = await startBenchServer(CONNECTIONS);
  const fleet = new Fleet({ ...server, roomSize: ROOM_SIZE });
  try {
    await fleet.connect();
    await fleet.join(JOINS_PER_S);
    fleet.startHeartbeats();
    const before = await server.readUsage();
    await sleep(SECONDS * 1000);
    const share = ((await server.readUsage()).cpuUs - before.cpuUs) / (SECONDS * 1e6);
    const beats = fleet.sum((resident) => resident.heartbeatReplies);
    const { connections } = await server.worker.ask("count", undefined);
    const expected = (CONNECTIONS * SECONDS * 1000) / SOCKET_CLIENT.heartbeatMs;
    return [
      {
        name: `${CONNECTIONS.toLocaleString("en")} idle joined connections, ${SECONDS} s`,
        bar: `≤ ${BAR * 100} % of a core`,
        measured: `${(share * 100).toFixed(2)} %; ${beats} heartbeats answered, ${connections} still there`,
        // The last ones may be on their way.
        isMet: share <= BAR && connections === CONNECTIONS && beats >= expected * 0.98,
      },
    ];
  } finally {
    fleet.cut();
    server.stop();
  }
}
