import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { AppError } from "#server/base/errors.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { openAccounts, SETUP_TOKEN } from "../fixture.ts";
import { getCode } from "../test-registration.ts";
import { readCommonPasswords } from "./common-passwords.ts";
import { createPasswordRules, type PasswordRules } from "./password-rules.ts";

const ADA = {
  username: "ada_lovelace",
  email: "countess@engines.example",
  first_name: "Ada",
  last_name: "Byron",
};

let database: TestDatabase;
const warnings: string[] = [];
const log = { warn: (_details: object, message: string) => void warnings.push(message) };
beforeAll(async () => {
  database = await createTestDatabase();
  await database.pool.query("INSERT INTO site_settings (author) VALUES ('Grace Hopper')");
});
afterAll(() => database.close());

/** The code of the refusal; undefined: it is good. */
async function judge(rules: PasswordRules, password: string): Promise<string | undefined> {
  try {
    await rules.requireGood(database.pool, password, ADA, "password");
    return undefined;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    expect(error.fields).toEqual([expect.objectContaining({ field: "password" })]);
    return error.fields[0]?.code;
  }
}

const rules = createPasswordRules({ publicUrl: "https://www.workshop.example", log });

test.each([
  "password1",
  "Password1",
  "PASSWORD123",
  "qwertyuiop",
  "iloveyou1",
  "galatasaray",
  "İLOVEYOU1",
  "ıloveyou1",
  "12345678910",
  "q1w2e3r4t5",
])("%s is among the commonest", async (password) => {
  expect(await judge(rules, password)).toBe("password_common");
});

test("so is one of few different characters", async () => {
  expect(await judge(rules, "abab-".repeat(6))).toBe("password_common");
});

test.each([
  "ada_lovelace1",
  "LOVELACE2024",
  "byron-byron-1",
  "countess!2",
  "Engines.Example",
  "workshop99",
  "foyer-12345",
  "GraceHopper7",
  "countess@engines.example",
  "c.ada@engines.org",
])("%s is little more than own words", async (password) => {
  expect(await judge(rules, password)).toBe("password_own_words");
});

test.each([
  "byron walks over the moor",
  "correct horse battery staple",
  "çay-bardağı-ve-simit",
  "Zq7!pf0-kk2",
])("%s is good", async (password) => {
  expect(await judge(rules, password)).toBeUndefined();
});

test("of 20,000 passwords that nobody chose it takes a few at the most for common ones", () => {
  const isCommon = readCommonPasswords();
  const taken = Array.from(
    { length: 20_000 },
    (_, index) => `${index} bottles on a wall of ${index * 7}`,
  ).filter(isCommon);
  expect(taken.length).toBeLessThan(10);
});

test("breach ranges are asked by five digits of a hash; padding is no hit, and silence refuses nobody", async () => {
  const asked: string[] = [];
  // SHA-1 of "correct horse battery staple" and of "byron walks over the moor".
  const found = "ABF7AAD6438836DBE526AA231ABDE2D0EEF74D42";
  let isDown = false;
  const server = createServer((request, answer) => {
    asked.push(`${request.url} ${request.headers["add-padding"]}`);
    answer.statusCode = isDown ? 503 : 200;
    answer.end(`${"0".repeat(35)}:3\r\n${found.slice(5)}:${asked.length === 1 ? 200 : 0}\r\n`);
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  try {
    const rangesUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/range/`;
    const asking = createPasswordRules({ rangesUrl, log });
    expect(await judge(asking, "correct horse battery staple")).toBe("password_breached");
    expect(await judge(asking, "correct horse battery staple")).toBeUndefined();
    expect(asked).toEqual(Array(2).fill(`/range/${found.slice(0, 5)} true`));
    expect(warnings).toEqual([]);
    isDown = true;
    expect(await judge(asking, "correct horse battery staple")).toBeUndefined();
    expect(warnings).toEqual(["breach ranges can't be asked, so a new password was taken without"]);
    // The commonest never leave the machine.
    expect(await judge(asking, "password1")).toBe("password_common");
    expect(asked).toHaveLength(3);
  } finally {
    server.close();
  }
});

const WEAK = { password: "password1", password_confirm: "password1" };

async function readFaults(answer: PromiseLike<{ json(): unknown }>): Promise<string[]> {
  const { errors } = (await answer).json() as { errors: { field: string; code: string }[] };
  return errors.map(({ field, code }) => `${field} ${code}`);
}

test("registration, a change and a forgotten password ask; the code stays good for another try", async () => {
  const accounts = await openAccounts();
  try {
    const person = await accounts.addAccount("mary_shelley");
    const post = (url: string, payload: object, token?: string) =>
      accounts.send("POST", url, { payload, ...(token && { token }) });
    const newcomer = { username: "newcomer", email: "n@example.org", ...WEAK };
    expect(await readFaults(post("/api/users/register/", newcomer))).toEqual(["password password_common"]);

    const { tokens } = await accounts.signIn(person.username);
    const own = { new_password: "Mary_Shelley1", new_password_confirm: "Mary_Shelley1" };
    const change = { current_password: "Correct-horse-1", ...own };
    expect(await readFaults(post("/api/users/password/", change, tokens.access_token))).toEqual([
      "new_password password_own_words",
    ]);
    expect((await accounts.logIn({ username: person.username })).statusCode).toBe(200);

    accounts.takeMails();
    const asked = (await post("/api/users/password/forgot/", { email: person.email })).json();
    const code = { ...asked, email: person.email, otp_code: getCode(accounts.takeMails()) };
    const reset = (password: string) =>
      post("/api/users/password/reset/", { ...code, password, password_confirm: password });
    expect(await readFaults(reset("password1"))).toEqual(["password password_common"]);
    expect(await readFaults(reset("mary-shelley-7"))).toEqual(["password password_own_words"]);
    expect((await reset("a creature on the ice")).statusCode).toBe(200);
  } finally {
    await accounts.close();
  }
});

test("so does the set-up, whose link stays good", async () => {
  const accounts = await openAccounts({ hasOwner: false });
  try {
    const owner = { token: SETUP_TOKEN, username: "owner", email: "owner@example.org" };
    const setUp = (payload: object) => accounts.send("POST", "/api/users/setup/", { payload });
    expect(await readFaults(setUp({ ...owner, ...WEAK }))).toEqual(["password password_common"]);
    const good = { password: "a creature on the ice", password_confirm: "a creature on the ice" };
    expect((await setUp({ ...owner, ...good })).statusCode).toBe(200);
  } finally {
    await accounts.close();
  }
});
