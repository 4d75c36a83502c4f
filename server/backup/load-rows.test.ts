import { Readable } from "node:stream";
import { expect, test } from "@jest/globals";
import { withTransaction } from "#server/db/transaction.ts";
import { createTestDatabase } from "#test/database.ts";
import { loadRows } from "./load-rows.ts";
import { BackupError, type Manifest } from "./manifest.ts";

test("rows that stop in the middle of their table leave nothing, and the connection is good", async () => {
  const database = await createTestDatabase();
  const controller = new AbortController();
  const toEndless = () => {
    const rows = new Readable({ read: () => {} });
    rows.push("1\n");
    setTimeout(() => controller.abort(new BackupError("Stopped.")), 50);
    return rows;
  };
  const archive = {
    readManifest: async () => "",
    readSigner: async () => undefined,
    open: async () => toEndless(),
    close() {},
  };
  const columns = [{ name: "id", type: "integer" }];
  const tables = [{ name: "mine", columns, row_count: 2, sequences: [], partitions: [] }];
  try {
    const loaded = withTransaction(database.pool, async (client) => {
      await client.query("CREATE TABLE mine (id integer)");
      const watch = { onProgress: () => {}, stop: controller.signal };
      await loadRows(client, archive, { tables } as unknown as Manifest, watch); // what it reads of one
    });
    await expect(loaded).rejects.toThrow("Stopped.");
    expect((await database.pool.query("SELECT to_regclass('mine') AS mine")).rows).toEqual([{ mine: null }]);
  } finally {
    await database.close();
  }
});
