import { randomUUID } from "node:crypto";
import type { Connection } from "../pool.ts";
import { openLeases } from "./shared-leases.ts";

/** A process that keeps work until it is killed. */
const leases = openLeases(
  { connection: JSON.parse(process.env.FOYER_TEST_HOLDER ?? "") as Connection, isEmbedded: false }, // written by the test
  {
    processId: randomUUID(),
    steadyMs: () => performance.now(),
    now: () => new Date(),
    log: { warn: (details, message) => console.error(message, details) },
  },
);
leases.keep("sweeping");
await leases.start();
// The timer of the leases alone keeps no process alive.
setInterval(() => undefined, 60_000);
