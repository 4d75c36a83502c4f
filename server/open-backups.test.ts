import { tmpdir } from "node:os";
import { expect, test } from "@jest/globals";
import { pino } from "pino";
import { createTestDatabase } from "#test/database.ts";
import { parseConfig } from "./config.ts";
import { createLocalLeases } from "./db/leases/lease.ts";
import { openBackups } from "./open-backups.ts";

test.each([
  [{ BACKUP_DAILY: "false" }, ["nothing is copied to s3://host/bucket (BACKUP_TO)"]],
  [{}, []],
])("a start with a place for copies says when nothing goes there (%j)", async (settings, expected) => {
  const database = await createTestDatabase();
  const lines: string[] = [];
  const backups = openBackups({
    config: parseConfig({ FOYER_DATA_DIR: tmpdir(), BACKUP_TO: "s3://key:secret@host/bucket", ...settings }),
    database: {
      connection: database.connection,
      pool: database.pool,
      exportPool: database.pool,
      isEmbedded: true,
    },
    stores: new Map(),
    leases: createLocalLeases(),
    queue: { secrets: [] } as never, // no mail is queued before the first look
    log: pino({}, { write: (line) => void lines.push(JSON.parse(line).msg) }),
    now: () => new Date(),
  });
  await backups.close();
  await database.close();
  expect(lines).toEqual(expected.map((start) => expect.stringContaining(start)));
});
