import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { LOCAL_SENDER, parseConfig } from "#server/config.ts";
import { sendDue } from "#server/mail/outbox/test-outbox.ts";
import { openMailDeps } from "#server/open-mail.ts";
import { makePhoto } from "#server/pictures/fixture.ts";
import { openProfiles, PASSWORD, type Person, type ProfilesFixture, readFaults } from "./fixture.ts";

let profiles: ProfilesFixture;
const PATH = "/api/users/me/";
const ADDRESS = "203.0.113.77";

beforeAll(async () => {
  profiles = await openProfiles();
});
afterAll(() => profiles.close());

const deleteMe = (person: Pick<Person, "headers">, password = PASSWORD) =>
  profiles.call("DELETE", PATH, person, { password });

/** Tables of the database in whose texts one of the words stands, in any case. */
async function findTraces(words: readonly string[]): Promise<string[]> {
  const { rows: columns } = await profiles.pool.query<{ relation: string; name: string }>(
    `SELECT format('%I', c.relname) AS relation, format('%I', a.attname) AS name
     FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped
       AND a.atttypid IN ('text'::regtype, 'jsonb'::regtype, 'varchar'::regtype, 'text[]'::regtype)`,
  );
  const traces: string[] = [];
  for (const { relation, name } of columns) {
    const { rowCount } = await profiles.pool.query(
      `SELECT FROM ${relation} WHERE ${name}::text ILIKE ANY ($1)`,
      [words.map((word) => `%${word}%`)],
    );
    if (rowCount) traces.push(`${relation}.${name}`);
  }
  return traces;
}

test.each([
  ["nobody", null, PASSWORD, 401],
  ["a person without the password", "", "", 400],
  ["a person with another password", "", "Wrong-Horse-1", 400],
])("%s deletes nothing", async (_, who, password, status) => {
  const person = await profiles.addPerson(`kept_${Math.random().toString(36).slice(2, 8)}`);
  const answer = await deleteMe(who === null ? { headers: { authorization: "" } } : person, password);
  expect(answer.statusCode).toBe(status);
  expect((await profiles.call("GET", PATH, person)).statusCode).toBe(200);
});

test("a wrong password is reported at its field", async () => {
  const person = await profiles.addPerson("guessed");
  expect(readFaults(await deleteMe(person, "Wrong-Horse-1"))).toEqual(["password wrong_password"]);
});

/** Sends what waits in the outbox into files, as a site without a mail server does; gives what they hold. */
async function writeMails(): Promise<string> {
  const { pool, site } = profiles;
  const silent = { debug() {}, info() {}, warn() {}, error() {} };
  const { worker } = await openMailDeps({
    config: {
      dataDir: site.dataDir,
      smtpUrl: undefined,
      mailFrom: LOCAL_SENDER,
      mailBounces: LOCAL_SENDER.address,
      mailReturnPath: "verp",
      mailReports: parseConfig({}).mailReports,
    },
    pool,
    log: silent,
    now: () => new Date(profiles.clock.now),
    getOrigin: () => "https://site.test",
  });
  await sendDue(worker);
  return readMailFiles();
}

async function readMailFiles(): Promise<string> {
  const folder = join(profiles.site.dataDir, "mail");
  const names = await readdir(folder);
  return (await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")))).join("\n");
}

/** Moves a person to another address with the code that was mailed there. */
async function moveTo(person: Person, email: string): Promise<void> {
  await profiles.putJson(person, { email, current_password: PASSWORD });
  const code = /Subject: (\d{6}) /.exec((await writeMails()).split(`To: ${email}`)[1] ?? "")?.[1];
  const payload = { email, otp_code: code };
  const answer = await profiles.call("POST", "/api/users/verify-email/", person, payload);
  expect(answer.statusCode).toBe(200);
}

test("a deleted account leaves no name, no address and no picture behind, and what others need of it stays", async () => {
  const person = await profiles.addPerson("Lovelace_A");
  const admin = await profiles.addPerson("an_admin", { level: 10 });
  await profiles.logIn("Lovelace_A", "Wrong-Horse-1", ADDRESS);
  await profiles.logIn("lovelace_a@example.org", PASSWORD, ADDRESS);
  await profiles.logIn("lovelace_a", PASSWORD, ADDRESS);
  await profiles.logIn("byron_before@example.org", "Wrong-Horse-1", ADDRESS);
  await profiles.pool.query(
    `INSERT INTO mail_message (token, report_token, message_id, kind, recipient, recipient_key, language, vars)
     VALUES ('receipt', 'receipt', 'receipt', 'contact_acknowledgement', 'Lovelace_A@example.org', 'lovelace_a@example.org', 'en', '{}')`,
  );
  await moveTo(person, "byron_before@example.org");
  await profiles.putJson(person, { username: "Augusta" });
  const photo = new Blob([new Uint8Array(makePhoto("png"))]);
  const saved = await profiles.putForm(person, {
    avatar: photo,
    cover: photo,
    bio: "Byron's daughter",
    email: "lovelace_new@example.org",
    current_password: PASSWORD,
  });
  const { avatar, cover } = saved.json();
  await profiles.pool.query(
    `INSERT INTO audit_entry (user_id, username, action_type, content_type_id, object_id, object_repr, changes)
     SELECT $1, 'an_admin', 'UPDATE', id, $2, 'Lovelace_A', '{"email":{"before":"lovelace_a@example.org"}}'
     FROM content_type WHERE model_name = 'user'`,
    [admin.id, String(person.id)],
  );
  const words = ["lovelace", "byron", "augusta", ADDRESS];
  expect(await writeMails()).toMatch(/lovelace_a@/i);
  expect((await findTraces(words)).length).toBeGreaterThan(5);
  const { rows: counted } = await profiles.pool.query("SELECT count(*)::int AS count FROM audit_entry");
  profiles.clock.now += 60_000; // until then it is kept when the new address was sent its code

  expect((await deleteMe(person)).statusCode).toBe(204);

  expect(await findTraces(words)).toEqual([]);
  for (const word of words) expect((await readMailFiles()).toLowerCase()).not.toContain(word);
  const { rows: entries } = await profiles.pool.query("SELECT count(*)::int AS count FROM audit_entry");
  expect(entries[0].count).toBe(counted[0].count + 1);
  const { rows: last } = await profiles.pool.query("SELECT * FROM audit_entry ORDER BY id DESC LIMIT 1");
  expect(last).toEqual([
    expect.objectContaining({
      action_type: "DELETE",
      detail: "account_deleted",
      object_id: String(person.id),
      user_id: person.id,
      username: `deleted account ${person.id}`,
      object_repr: `deleted account ${person.id}`,
      changes: null,
      ip_address: null,
    }),
  ]);
  expect((await profiles.call("GET", PATH, person)).statusCode).toBe(401);
  expect((await profiles.logIn("Lovelace_A")).statusCode).toBe(401);
  for (const address of [avatar, cover])
    expect((await profiles.site.app.inject({ url: address })).statusCode).toBe(404);
  expect((await profiles.call("GET", PATH, admin)).statusCode).toBe(200);
});

test("a name and an address that somebody else has now stay in the log, and so do their mails", async () => {
  const person = await profiles.addPerson("was_here");
  await profiles.putJson(person, { username: "is_here" });
  const other = await profiles.addPerson("was_here_too");
  await profiles.putJson(other, { username: "was_here" });
  const address = "was_here_too@example.org";
  await profiles.putJson(person, { email: address, current_password: PASSWORD });
  await profiles.takeAudit();
  await profiles.logIn("was_here", "Wrong-Horse-1");
  await profiles.logIn("is_here", "Wrong-Horse-1");
  await profiles.pool.query(
    `INSERT INTO mail_message (token, report_token, message_id, kind, recipient, recipient_key, language, vars)
     VALUES ('others', 'others', 'others', 'contact_acknowledgement', $1, lower($1), 'en', '{}')`,
    [address],
  );
  expect((await deleteMe(person)).statusCode).toBe(204);
  const failed = (await profiles.takeAudit()).filter(({ detail }) => detail === "failed_sign_in");
  expect(failed.map(({ username }) => username)).toEqual(["was_here", `deleted account ${person.id}`]);
  const { rows } = await profiles.pool.query("SELECT recipient FROM mail_message WHERE token = 'others'");
  expect(rows).toEqual([{ recipient: address }]);
});

test("mail files that can't be removed are reported in the log alone: the account is gone", async () => {
  const person = await profiles.addPerson("blocked");
  const folder = join(profiles.site.dataDir, "mail");
  await rm(folder, { recursive: true, force: true });
  await writeFile(folder, "no folder");
  expect((await deleteMe(person)).statusCode).toBe(204);
  await rm(folder);
});

test("who hasn't proven an address may go too", async () => {
  const person = await profiles.addPerson("unproven", { level: 0, columns: "is_email_verified = false" });
  expect((await deleteMe(person)).statusCode).toBe(204);
});

test("deleted twice at once, an account goes once", async () => {
  const person = await profiles.addPerson("twice");
  await profiles.takeAudit();
  const answers = await Promise.all([deleteMe(person), deleteMe(person)]);
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([204, 401]);
  const deletions = (await profiles.takeAudit()).filter(({ action_type }) => action_type === "DELETE");
  expect(deletions).toHaveLength(1);
});

test("the last superuser stays, also when the last two leave at once; a suspended one doesn't count", async () => {
  const first = await profiles.addPerson("owner_1", { level: 999 });
  const second = await profiles.addPerson("owner_2", { level: 999 });
  const third = await profiles.addPerson("owner_3", { level: 999 });
  await profiles.pool.query("UPDATE account_user SET is_active = false WHERE id = $1", [third.id]);
  const answers = await Promise.all([deleteMe(first), deleteMe(second)]);
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([204, 409]);
  const refused = answers.find(({ statusCode }) => statusCode === 409);
  expect(refused?.json()).toMatchObject({ code: "last_superuser" });
  const { rows } = await profiles.pool.query(
    "SELECT count(*)::int AS count FROM account_user WHERE username LIKE 'owner__' AND is_active",
  );
  expect(rows[0].count).toBe(1);
});
