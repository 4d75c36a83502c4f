import { PassThrough } from "node:stream";
import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { Command, CommanderError } from "commander";
import type { OutgoingMail } from "#server/mail/service.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { registerAccountCommands } from "./cli.ts";

let database: TestDatabase;
const mails: OutgoingMail[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
beforeEach(() => database.damage("TRUNCATE account_user, audit_entry CASCADE"));

interface Run {
  exitCode: number;
  out: string;
  line: string;
  isClosed: boolean;
}

/** Runs the command; `typed` is what a person at a terminal answers, line by line. */
async function run(
  options: { command?: string; username?: string; email?: string; password?: string; typed?: string[] } = {},
): Promise<Run> {
  const output = new PassThrough();
  const input = new PassThrough();
  const result: Run = { exitCode: 0, out: "", line: "", isClosed: true };
  const answers = [...(options.typed ?? [])];
  output.on("data", (chunk: Buffer) => {
    result.out += chunk.toString();
    if (chunk.toString().startsWith("Password")) input.write(`${answers.shift() ?? "\u0004"}\r`);
  });
  const program = new Command("foyer")
    .exitOverride()
    .configureOutput({ writeErr: (text) => (result.line += text) });
  const markClosed = () => {
    result.isClosed = true;
  };
  const open = async () => {
    result.isClosed = false;
    return { pool: database.pool, close: async () => markClosed() };
  };
  const environment = options.password === undefined ? {} : { FOYER_PASSWORD: options.password };
  const terminal = {
    environment,
    output,
    input: Object.assign(input, { isTTY: options.typed !== undefined }),
  };
  const mail = { queue: async (_db: unknown, given: OutgoingMail) => void mails.push(given) };
  registerAccountCommands(program, { open, openMail: async () => ({ ...(await open()), mail }) }, terminal);
  const { username = "owner", email = "owner@example.org" } = options;
  await program
    .parseAsync(
      options.command
        ? [options.command, "--username", username]
        : ["create-superuser", "--username", username, "--email", email],
      { from: "user" },
    )
    .catch((error: unknown) => {
      if (!(error instanceof CommanderError)) throw error;
      result.exitCode = error.exitCode;
    });
  return result;
}

const PASSWORD = "Correct-horse-1";

test("creates a superuser with a proven address, and says so in the audit", async () => {
  expect(await run({ password: PASSWORD })).toEqual({
    exitCode: 0,
    out: "Created the superuser owner.\n",
    line: "",
    isClosed: true,
  });
  const { rows } = await database.pool.query(
    `SELECT u.username, u.email, u.is_active, u.is_email_verified, l.level, u.password_hash
     FROM account_user u JOIN access_level l ON l.id = u.access_level_id`,
  );
  expect(rows).toEqual([
    {
      username: "owner",
      email: "owner@example.org",
      is_active: true,
      is_email_verified: true,
      level: 999,
      password_hash: expect.stringMatching(/^\$argon2id\$/),
    },
  ]);
  const audit = await database.pool.query(
    "SELECT action_type, detail, username, object_repr FROM audit_entry",
  );
  expect(audit.rows).toEqual([
    { action_type: "CREATE", detail: "create_superuser", username: null, object_repr: "owner" },
  ]);
});

test.each([
  [{ username: "ab" }, "username: At least 3 characters."],
  [{ username: "x".repeat(31) }, "username: At most 30 characters."],
  [{ username: "no spaces" }, "username: Letters, digits and underscore only."],
  [{ username: "ışık" }, "username: Letters, digits and underscore only."],
  [{ username: " " }, "username: Username is required"],
  [{ email: "nobody" }, "email: Please enter a valid email address"],
  [{ email: "a..b@example.org" }, "email: Please enter a valid email address"],
  [{ email: "a@example.o1" }, "email: Please enter a valid email address"],
  [{ email: `${"a".repeat(65)}@example.org` }, "email: Please enter a valid email address"],
  [{ password: "Short-1" }, "password: At least 8 characters."],
  [
    { password: "password1" },
    "password: Many people use this password, so it is tried first. Choose another one, perhaps a few words.",
  ],
  [{ password: "x".repeat(129) }, "password: At most 128 characters."],
])("%j is refused in one line", async (given, text) => {
  const result = await run({ password: PASSWORD, ...given });
  expect(result.exitCode).toBe(1);
  expect(result.line).toBe(`No superuser was created: ${text}\n`);
  expect(result.isClosed).toBe(true);
  expect((await database.pool.query("SELECT FROM account_user")).rowCount).toBe(0);
});

test.each([
  [{ username: "OWNER", email: "other@example.org" }, "username: This username is taken."],
  [
    { username: "other", email: "Owner@Example.org" },
    "email: There is an account with this address already.",
  ],
])("%j is taken, whatever the case of its letters", async (given, text) => {
  await run({ password: PASSWORD });
  const result = await run({ password: PASSWORD, ...given });
  expect(result).toMatchObject({ exitCode: 1, line: `No superuser was created: ${text}\n`, isClosed: true });
  expect((await database.pool.query("SELECT FROM audit_entry")).rowCount).toBe(1);
});

test("asks twice at a terminal and shows nothing of the password", async () => {
  const result = await run({ typed: [PASSWORD, PASSWORD] });
  expect(result).toMatchObject({ exitCode: 0, line: "" });
  expect(result.out).toBe("Password: \nPassword again: \nCreated the superuser owner.\n");
});

test.each([
  [[PASSWORD, "Another-horse-1"], "the two passwords differ"],
  [[], "cancelled"],
])("typed %j creates nothing", async (typed, text) => {
  expect(await run({ typed })).toMatchObject({ exitCode: 1, line: `No superuser was created: ${text}\n` });
});

test("without a terminal and without FOYER_PASSWORD it says what to do", async () => {
  const result = await run();
  expect(result.exitCode).toBe(1);
  expect(result.line).toContain("set FOYER_PASSWORD");
});

test("who lost every second factor gets rid of them by a command, and is told", async () => {
  await run({ password: PASSWORD });
  const reset = (username: string) => run({ command: "reset-second-factor", username });
  expect((await reset("owner")).line).toBe("Nothing was taken away: this person has none.\n");
  expect((await reset("nobody")).line).toBe("Nothing was taken away: nobody has this name.\n");
  await database.pool.query(
    `WITH owner AS (SELECT id FROM account_user),
       app AS (INSERT INTO account_app_factor (user_id, sealed_secret, confirmed_at, created_at) SELECT id, 'x', now(), now() FROM owner),
       code AS (INSERT INTO account_recovery_code (user_id, code_hash) SELECT id, 'x' FROM owner)
     INSERT INTO account_passkey (user_id, credential_id, public_key, counter, transports, is_synced, name, created_at)
     SELECT id, 'x', 'x', 0, '{}', false, 'x', now() FROM owner`,
  );
  const result = await reset("OWNER@example.org");
  expect(result).toMatchObject({ exitCode: 0, isClosed: true });
  expect(result.out).toContain("owner has no second factor any more");
  for (const table of ["account_app_factor", "account_recovery_code", "account_passkey"])
    expect((await database.pool.query(`SELECT FROM ${table}`)).rowCount).toBe(0);
  expect(mails).toEqual([
    expect.objectContaining({ kind: "second_factor_changed", change: "factors_removed" }),
  ]);
  const { rows } = await database.pool.query("SELECT detail FROM audit_entry ORDER BY id DESC LIMIT 1");
  expect(rows).toEqual([{ detail: "factors_removed" }]);
});
