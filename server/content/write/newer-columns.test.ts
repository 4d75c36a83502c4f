import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { EVERY_KIND_SQL, everyKindRow, everything } from "#test/every-kind.ts";
import { type ContentSite, openContentSite } from "../fixture.ts";

/** Relations to many are written step by step; without them one statement writes a row. */
const { relation_many: _many, ...plainFields } = everything.fields;
const plain = { ...everything, name: "plain", fields: plainFields };

let content: ContentSite;
beforeAll(async () => {
  content = await openContentSite([everything, plain], EVERY_KIND_SQL);
});
afterAll(() => content.site.close());

test("a process goes on while a newer one adds columns to the tables that it reads and writes", async () => {
  const { call, objects, site } = content;
  /** All calls of a row's life. */
  async function writeAll(): Promise<number[]> {
    const { relation_many: _, ...body } = everyKindRow(1);
    const made = await call("POST", objects("plain"), { body });
    const address = objects("plain", `${made.body.id}/`);
    const answers = [
      made,
      await call("PATCH", address, { body: { text: "two" } }),
      await call("GET", address),
      await call("GET", objects("plain")),
      await call("GET", `${address}history/`),
      await call("DELETE", address),
    ];
    return answers.map(({ status }) => status);
  }
  const good = [201, 200, 200, 200, 200, 204];
  // Statements that come often are prepared by name, on each connection.
  for (let round = 0; round < 8; round += 1) expect(await writeAll()).toEqual(good);
  await site.database.damage(`
    ALTER TABLE test_everything ADD later text, ADD more integer NOT NULL DEFAULT 0;
    ALTER TABLE audit_entry ADD later text;
    ALTER TABLE account_session ADD later text;
    ALTER TABLE account_user ADD later text`);
  for (let round = 0; round < 8; round += 1) expect(await writeAll()).toEqual(good);
});
