import { randomUUID } from "node:crypto";
import type { Connection } from "../pool.ts";
import type { Leases } from "./lease.ts";
import { openLeases } from "./shared-leases.ts";

/** The leases of a process as the product opens them; also run as a process, to be killed. */
export function openTestHolder(connection: Connection): Leases {
  return openLeases(connection, false, {
    processId: randomUUID(),
    steadyMs: () => performance.now(),
    now: () => new Date(),
    log: { warn: (details, message) => console.error(message, details) },
  });
}

const given = process.env.FOYER_TEST_HOLDER;
if (given) {
  const leases = openTestHolder(JSON.parse(given) as Connection); // written by the test
  leases.keep("sweeping");
  await leases.start();
  // The timer of the leases alone keeps no process alive.
  setInterval(() => undefined, 60_000);
}
