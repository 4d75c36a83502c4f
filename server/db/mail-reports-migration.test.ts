import { expect, test } from "@jest/globals";
import { createTestDatabase } from "#test/database.ts";
import { readMigrations } from "./migrate.ts";

const NAME = "0011_mail-reports";

test("mails of an older version keep their state, get secrets of their own, and have events from their first day", async () => {
  const database = await createTestDatabase({ isEmpty: true });
  const { pool } = database;
  const migrations = readMigrations();
  const at = migrations.findIndex(({ name }) => name === NAME);
  for (const { statements } of migrations.slice(0, at))
    for (const statement of statements) await pool.query(statement);
  await pool.query(
    `INSERT INTO mail_message (token, message_id, kind, recipient, language, vars, status, created_at, updated_at, sent_at, response)
     VALUES ('t1', '<1@x>', 'test', 'ADA@Foyer.example', 'en', '{}', 'sent', '2026-05-01', '2026-05-02', '2026-05-02', '250 ok'),
            ('t2', '<2@x>', 'test', 'eve@foyer.example', 'en', '{}', 'failed', '2026-05-03', '2026-05-04', NULL, '550 no'),
            ('t3', '<3@x>', 'test', '', 'en', '{}', 'sent', '2026-05-05', '2026-05-06', '2026-05-06', NULL),
            ('t4', '<4@x>', 'test', 'ida@foyer.example', 'en', '{}', 'sending', '2026-05-07', '2026-05-07', NULL, NULL)`,
  );
  for (const statement of migrations[at]?.statements ?? []) await pool.query(statement);
  const { rows: mails } = await pool.query(
    "SELECT report_token, recipient_key, delivery_state, handed_over_at IS NOT NULL AS is_over, failure_reason FROM mail_message ORDER BY id",
  );
  expect(mails).toEqual(
    [
      { recipient_key: "ada@foyer.example", delivery_state: "sent", is_over: true, failure_reason: null },
      {
        recipient_key: "eve@foyer.example",
        delivery_state: "failed",
        is_over: false,
        failure_reason: "550 no",
      },
      { recipient_key: "", delivery_state: "sent", is_over: true, failure_reason: null },
      { recipient_key: "ida@foyer.example", delivery_state: "pending", is_over: false, failure_reason: null },
    ].map((row) => ({ ...row, report_token: expect.stringMatching(/^[\da-f]{24}$/) })),
  );
  const { rows: events } = await pool.query(
    "SELECT token, e.kind FROM mail_event e JOIN mail_message m ON m.id = e.message_id ORDER BY e.id",
  );
  expect(events.map(({ token, kind }) => `${token} ${kind}`)).toEqual([
    "t1 queued",
    "t1 sent",
    "t2 queued",
    "t2 failed",
    "t3 queued",
    "t3 sent",
    "t4 queued",
  ]);
  await database.close();
});
