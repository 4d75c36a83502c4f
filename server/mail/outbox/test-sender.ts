import { createPool } from "#server/db/pool.ts";
import type { TestConnection } from "#test/test-server.ts";
import { openTestOutbox } from "./test-outbox.ts";
import { createSmtpTransport } from "./transports.ts";
import { createOutboxWorker } from "./worker.ts";

/** Has the connection and the mail server as JSON, where this file runs as a process that sends what is due, to be killed. */
export const SENDER_VARIABLE = "FOYER_TEST_SENDER";

const given = process.env[SENDER_VARIABLE];
if (given) {
  const { connection, smtpUrl } = JSON.parse(given) as { connection: TestConnection; smtpUrl: string }; // written by the test
  const pool = createPool(connection, { name: "test sender", max: 2, onError: () => {} });
  const database = { pool, connection, damage: async () => undefined, close: () => pool.end() };
  const { toDeps } = await openTestOutbox(database);
  const worker = createOutboxWorker({ ...toDeps(createSmtpTransport(smtpUrl)), isShared: true });
  worker.begin(await worker.lease(pool));
}
