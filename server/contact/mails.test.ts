import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { insertAccount } from "#server/accounts/store.ts";
import { NO_SITE } from "#server/site/service.ts";
import { CHALLENGE_LIFETIME_MS } from "./challenge.ts";
import { type ContactFixture, MESSAGE, openContact } from "./fixture.ts";
import { createFindOwner } from "./service.ts";

let contact: ContactFixture;
beforeAll(async () => {
  contact = await openContact({ ownerEmail: "owner@foyer.example" });
});
afterAll(() => contact.close());
beforeEach(async () => {
  await contact.site.database.pool.query("DELETE FROM mail_message");
  await contact.takeStored();
});

async function readOutbox() {
  const { rows } = await contact.site.database.pool.query(
    `SELECT kind, recipient, language, status, vars, contact_message_id FROM mail_message ORDER BY id`,
  );
  return rows;
}

async function readMessageId(): Promise<number> {
  const { rows } = await contact.site.database.pool.query("SELECT id FROM contact_message");
  expect(rows).toHaveLength(1);
  return rows[0].id;
}

const send = async (lang: "en" | "tr" = "en", message = MESSAGE) =>
  contact.post({ ...message, ...(await contact.getProof()) }, { headers: { "accept-language": lang } });

test("a message leaves two mails in the outbox: itself to the owner, and a receipt in the visitor's language", async () => {
  expect((await send("tr")).statusCode).toBe(200);
  const contact_message_id = await readMessageId();
  expect(await readOutbox()).toEqual([
    {
      kind: "contact_message",
      recipient: "owner@foyer.example",
      language: "en",
      status: "pending",
      vars: MESSAGE,
      contact_message_id,
    },
    {
      kind: "contact_acknowledgement",
      recipient: MESSAGE.email,
      language: "tr",
      status: "pending",
      vars: {},
      contact_message_id,
    },
  ]);
});

test("a message without a proof reaches the owner; the address in it, which may be a stranger's, gets nothing", async () => {
  expect((await contact.post(MESSAGE)).statusCode).toBe(200);
  expect(await readOutbox()).toMatchObject([{ kind: "contact_message", recipient: "owner@foyer.example" }]);
});

test("the form without JavaScript does the same", async () => {
  const first = await contact.postForm(MESSAGE);
  const { draft } = JSON.parse(/\{.*\}/s.exec(first.body)?.[0] ?? "null");
  contact.clock.now += 3000;
  await contact.postForm({ ...MESSAGE, challenge: draft.challenge, action: "send" }, { url: "/tr/contact" });
  expect((await readOutbox()).map(({ kind, language }) => [kind, language])).toEqual([
    ["contact_message", "en"],
    ["contact_acknowledgement", "tr"],
  ]);
});

test("the same message again, and ten times at once, leaves no second mail", async () => {
  const payload = { ...MESSAGE, email: "other@foyer.example", ...(await contact.getProof()) };
  const from = contact.takeAddress();
  await Promise.all(Array.from({ length: 10 }, () => contact.post(payload, { from })));
  contact.clock.now += CHALLENGE_LIFETIME_MS * 2;
  await contact.post(payload, { from });
  expect((await readOutbox()).map(({ kind }) => kind)).toEqual([
    "contact_message",
    "contact_acknowledgement",
  ]);
});

test("of two messages of one address in a day both reach the owner, and one receipt the visitor", async () => {
  const visitor = { ...MESSAGE, email: "twice@foyer.example" };
  await send("en", visitor);
  await send("en", { ...visitor, email: "Twice@foyer.example" });
  expect((await readOutbox()).map(({ kind }) => kind).sort()).toEqual([
    "contact_acknowledgement",
    "contact_message",
    "contact_message",
  ]);
});

test("a message that is refused or can't be stored leaves no mail", async () => {
  await contact.post({ ...MESSAGE, website: "x", ...(await contact.getProof()) });
  await contact.post({ ...MESSAGE, ...(await contact.getProof()), solution: "1" });
  const from = contact.takeAddress();
  for (let place = 0; place < 6; place += 1)
    await contact.post(
      { ...MESSAGE, email: `p${place}@foyer.example`, ...(await contact.getProof()) },
      { from },
    );
  expect((await readOutbox()).map(({ recipient }) => recipient)).not.toContain("p5@foyer.example");
  expect(await contact.takeStored()).toHaveLength(5);

  const { pool } = contact.site.database;
  await pool.query("DELETE FROM mail_message");
  // The receipt is queued last: what came before goes back with it.
  await pool.query(
    `ALTER TABLE mail_message ADD CONSTRAINT no_receipts CHECK (kind <> 'contact_acknowledgement') NOT VALID`,
  );
  const answer = await send("en", { ...MESSAGE, email: "rolled-back@foyer.example" });
  await pool.query("ALTER TABLE mail_message DROP CONSTRAINT no_receipts");
  expect(answer.statusCode).toBe(500);
  expect(await readOutbox()).toEqual([]);
  expect(await contact.takeStored()).toEqual([]);
});

describe("the owner is found", () => {
  const warnings: string[] = [];
  const find = (shown: { email: string | null; has_sample: boolean }, ownerEmail?: string) =>
    createFindOwner({
      pool: contact.site.database.pool,
      site: { getSite: async () => ({ ...NO_SITE, ...shown }) },
      ownerEmail,
      log: { warn: (message) => warnings.push(message) },
    });
  const SHOWN = { email: "shown@foyer.example", has_sample: false };

  test("nowhere while there is nobody, which the log says once", async () => {
    const findOwner = find({ email: null, has_sample: false });
    expect(await findOwner()).toBeUndefined();
    expect(await findOwner()).toBeUndefined();
    expect(warnings).toHaveLength(1);
  });

  test("at OWNER_EMAIL, then where the site says, then at the oldest superuser's address, in their language", async () => {
    const { pool } = contact.site.database;
    for (const level of [10, 999]) {
      const username = `level_${level}`;
      await insertAccount(pool, { username, email: `${username}@example.org`, passwordHash: "none", level });
    }
    await pool.query("UPDATE account_user SET admin_language = 'tr' WHERE username = 'level_999'");
    const to = (recipient: string) => ({ recipient, language: "tr" });
    expect(await find(SHOWN, "set@foyer.example")()).toEqual(to("set@foyer.example"));
    expect(await find(SHOWN)()).toEqual(to("shown@foyer.example"));
    expect(await find({ ...SHOWN, email: null })()).toEqual(to("level_999@example.org"));
  });

  test("never at the address of the engineer of the sample, who does not exist", async () => {
    expect(await find({ ...SHOWN, has_sample: true })()).toMatchObject({
      recipient: "level_999@example.org",
    });
  });

  test("never at a suspended superuser's address", async () => {
    await contact.site.database.pool.query(
      "UPDATE account_user SET is_active = false WHERE username = 'level_999'",
    );
    expect(await find({ email: null, has_sample: false })()).toBeUndefined();
  });
});
