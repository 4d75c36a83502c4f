import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import type { OutgoingMail } from "#server/mail/service.ts";
import { type AccountsFixture, openAccounts, toCookieHeader } from "../fixture.ts";
import {
  getCode,
  getProof,
  PASSWORD,
  register,
  requireRegistered,
  toWrong,
  verify,
} from "../test-registration.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const NEW = "Another-horse-2";
/** Of one address for its whole life. */
const STRANGER = "203.0.113.9";

let accounts: AccountsFixture;
let count = 0;
beforeAll(async () => {
  accounts = await openAccounts();
});
afterAll(() => accounts.close());
beforeEach(() => {
  accounts.clock.now += DAY_MS;
  accounts.takeMails();
});

const addPerson = () => accounts.addAccount(`person_${++count}`);
const toBrowser = (name: string) => name.padEnd(40, "-");

interface Shown {
  otp_code?: string;
  ticket?: string;
  proof?: string;
  address?: string;
  lang?: string;
}

const forgot = (email: string, ticket?: string, address?: string) =>
  accounts.send("POST", "/api/users/password/forgot/", {
    payload: { email, ...(ticket && { ticket }) },
    ...(address && { address }),
  });
const reset = (email: string, { address, lang, ...shown }: Shown) =>
  accounts.send("POST", "/api/users/password/reset/", {
    payload: { email, ...shown, password: NEW, password_confirm: NEW },
    ...(address && { address }),
    ...(lang && { lang }),
  });
const last = (mails: OutgoingMail[]) => mails.slice(-1);

describe("a code belongs to the browser that asked", () => {
  test("wrong ones without its ticket, or with another's, use up none of its tries", async () => {
    const { email } = await addPerson();
    await forgot(email, toBrowser("own"));
    const code = getCode(accounts.takeMails());
    for (let tries = 0; tries < 3; tries++) {
      await reset(email, { otp_code: toWrong(code) });
      await reset(email, { otp_code: toWrong(code), ticket: toBrowser("unknown") });
      await reset(email, { otp_code: toWrong(code), ticket: toBrowser("unknown") });
    }
    const answer = await reset(email, { otp_code: code, ticket: toBrowser("own") });
    expect(answer.statusCode).toBe(200);
  });

  test("its own wrong ones are five", async () => {
    const { email } = await addPerson();
    const { ticket } = (await forgot(email)).json();
    const code = getCode(accounts.takeMails());
    for (let tries = 0; tries < 5; tries++) await reset(email, { otp_code: toWrong(code), ticket });
    expect((await reset(email, { otp_code: code, ticket })).json()).toMatchObject({
      code: "invalid_verification_code",
    });
    // Asking again within the minute gives no new ones.
    await forgot(email, ticket);
    expect((await reset(email, { otp_code: code, ticket })).statusCode).toBe(400);
  });

  test("another browser that asks makes it neither worthless nor wait", async () => {
    const { email } = await addPerson();
    await forgot(email, toBrowser("own"));
    const own = getCode(accounts.takeMails());
    accounts.clock.now += MINUTE_MS;
    await forgot(email, toBrowser("stranger"), STRANGER);
    expect(accounts.takeMails()).toHaveLength(1);
    expect((await reset(email, { otp_code: own, ticket: toBrowser("own") })).statusCode).toBe(200);
  });

  test("who asks within the minute of a stranger's request types the code that has just come", async () => {
    const { email } = await addPerson();
    await forgot(email, toBrowser("stranger"), STRANGER);
    const code = getCode(accounts.takeMails());
    for (let tries = 0; tries < 5; tries++)
      await reset(email, { otp_code: toWrong(code), ticket: toBrowser("stranger"), address: STRANGER });
    accounts.clock.now += 10_000;
    expect((await forgot(email, toBrowser("own"))).json()).toMatchObject({ retry_after: 50 });
    expect(accounts.takeMails()).toEqual([]);
    expect((await reset(email, { otp_code: code, ticket: toBrowser("own") })).statusCode).toBe(200);
  });

  test("a client that knows no tickets types the code that came last", async () => {
    const { email } = await addPerson();
    await forgot(email);
    expect((await reset(email, { otp_code: getCode(accounts.takeMails()) })).statusCode).toBe(200);
  });

  test("who asks in two browsers may type the later mail's code in the first", async () => {
    const { email } = await addPerson();
    await forgot(email, toBrowser("own"));
    accounts.clock.now += MINUTE_MS;
    await forgot(email, toBrowser("own phone"));
    const code = getCode(last(accounts.takeMails()));
    expect((await reset(email, { otp_code: code, ticket: toBrowser("own") })).statusCode).toBe(200);
  });
});

describe("the link of the mail", () => {
  test("is good in any browser, once, and for ten minutes", async () => {
    const { email } = await addPerson();
    await forgot(email, toBrowser("own"));
    const proof = getProof(accounts.takeMails());
    expect((await reset(email, { proof: `${proof.slice(1)}x` })).statusCode).toBe(400);
    expect((await reset("other@example.org", { proof })).statusCode).toBe(400);
    expect((await reset(email, { proof })).statusCode).toBe(200);
    expect((await reset(email, { proof })).statusCode).toBe(400);
    accounts.clock.now += MINUTE_MS;
    accounts.takeMails();
    await forgot(email);
    const late = getProof(accounts.takeMails());
    accounts.clock.now += 10 * MINUTE_MS;
    expect((await reset(email, { proof: late })).statusCode).toBe(400);
  });

  test("proves the address of a registration, and no digits are needed", async () => {
    const { ticket, email } = await requireRegistered(accounts, `person_${++count}`);
    const proof = getProof(accounts.takeMails());
    const answer = await accounts.send("POST", "/api/users/verify-email/", {
      payload: { email, proof, ticket },
    });
    expect(answer.json()).toMatchObject({ session: { user: { is_email_verified: true } } });
  });
});

describe("a stranger at one address against one account, for an hour", () => {
  /** Asks and guesses in whatever way: each browser of theirs, and none. */
  async function attack(email: string, address: string, guesses: number) {
    const statuses: number[] = [];
    for (let guess = 0; guess < guesses; guess++) {
      const ticket = toBrowser(`stranger ${address} ${Math.floor(guess / 4)}`);
      if (guess % 4 === 0) await forgot(email, ticket, address);
      const shown = { otp_code: "000000", address, ...(guess % 2 === 0 && { ticket }) };
      statuses.push((await reset(email, shown)).statusCode);
      accounts.clock.now += MINUTE_MS;
    }
    return statuses;
  }
  /** Each is compared with one code, or with two and counts twice. */
  const countCompared = async () =>
    (
      await accounts.pool.query<{ count: number }>(
        "SELECT count(*)::integer AS count FROM account_code_guess",
      )
    ).rows[0]?.count;
  beforeEach(() => accounts.pool.query("DELETE FROM account_code_guess"));

  test("has ten of a million codes, and the owner gets in from elsewhere by digits and by link", async () => {
    const { email } = await addPerson();
    const statuses = await attack(email, STRANGER, 60);
    expect(statuses).not.toContain(200);
    expect(statuses.at(-1)).toBe(429);
    expect(await countCompared()).toBe(10);
    accounts.takeMails();
    await forgot(email, toBrowser("own"));
    // The stranger's last request may have brought the mail that is there.
    const { rows } = await accounts.pool.query<{ kind: string }>(
      "SELECT kind FROM mail_message ORDER BY id DESC LIMIT 1",
    );
    expect(rows).toEqual([{ kind: "password_reset" }]);
    const [mail] = last(accounts.takeMails());
    expect(mail).toMatchObject({ kind: "password_reset" });
    const answer = await reset(email, { otp_code: getCode(mail ? [mail] : []), ticket: toBrowser("own") });
    expect(answer.statusCode).toBe(200);
  });

  test("even from many addresses, the day has twenty; then the link is the way, and says so", async () => {
    const { email } = await addPerson();
    for (const block of [1, 2, 3]) await attack(email, `203.0.113.${block}`, 12);
    expect(await countCompared()).toBe(20);
    accounts.clock.now += 6 * MINUTE_MS;
    accounts.takeMails();
    await forgot(email, toBrowser("own"));
    const mails = accounts.takeMails();
    const typed = { otp_code: getCode(mails), ticket: toBrowser("own") };
    const refused = await reset(email, typed);
    expect(refused.json()).toMatchObject({ status: 429, code: "too_many_codes" });
    expect(refused.json().message).toContain("The button in the mail still works");
    expect((await reset(email, { ...typed, lang: "tr" })).json().message).toContain(
      "E-postadaki düğme yine çalışır",
    );
    expect((await reset(email, { proof: getProof(mails) })).statusCode).toBe(200);
  });

  test("the day goes by, and codes can be typed again", async () => {
    const { email } = await addPerson();
    await attack(email, STRANGER, 12);
    expect((await reset(email, { otp_code: "000000", address: STRANGER })).statusCode).toBe(429);
    accounts.clock.now += DAY_MS;
    expect((await reset(email, { otp_code: "000000", address: STRANGER })).statusCode).toBe(400);
  });

  test("an address without an account is refused alike", async () => {
    const email = "nobody@example.org";
    const statuses = await attack(email, STRANGER, 12);
    expect(statuses).toEqual([...Array(10).fill(400), 429, 429]);
  });

  test("guesses at once count like guesses in a row", async () => {
    const { email } = await addPerson();
    await forgot(email, toBrowser("own"));
    const code = getCode(accounts.takeMails());
    const guess = () => reset(email, { otp_code: toWrong(code) });
    const statuses = (await Promise.all(Array.from({ length: 40 }, guess))).map(
      ({ statusCode }) => statusCode,
    );
    expect(statuses.filter((status) => status === 400)).toHaveLength(20);
    expect(await countCompared()).toBe(20);
  });

  test("who asks all the time never keeps the owner's mail from going out", async () => {
    const { email } = await addPerson();
    for (let hour = 0; hour < 120; hour++) {
      await forgot(email, toBrowser(`stranger ${hour}`), `203.0.113.${hour % 20}`);
      accounts.clock.now += MINUTE_MS / 2;
    }
    const mails = accounts.takeMails();
    // Ten, and one each five minutes behind them.
    expect(mails.length).toBeLessThanOrEqual(22);
    // Whenever the owner asks, the newest mail is good for five minutes at least, in their browser too.
    for (let step = 0; step < 12; step++) {
      const browser = toBrowser(`own ${step}`);
      await forgot(email, browser);
      mails.push(...accounts.takeMails());
      const [newest] = last(mails);
      const expiresAt = newest && "expiresAt" in newest ? Date.parse(newest.expiresAt) : 0;
      expect(expiresAt - accounts.clock.now).toBeGreaterThanOrEqual(5 * MINUTE_MS);
      const { rows } = await accounts.pool.query<{ is_newest: boolean }>(
        `SELECT c.expires_at = $2 AND c.code_hash IS NOT NULL AS is_newest FROM account_code_ticket t
         JOIN account_code c ON c.id = t.code_id WHERE t.email = $1 ORDER BY c.id DESC LIMIT 1`,
        [email, new Date(expiresAt)],
      );
      expect(rows).toEqual([{ is_newest: true }]);
      accounts.clock.now += MINUTE_MS + 7000;
    }
    const code = getCode(last(mails));
    expect((await reset(email, { otp_code: code, ticket: toBrowser("own 11") })).statusCode).toBe(200);
  });
});

test("a name that wrong passwords locked is open again to the browser that recovered", async () => {
  const person = await addPerson();
  for (let tries = 0; tries < 6; tries++)
    await accounts.logIn({ ...person, password: "Wrong-horse-1", address: STRANGER });
  expect((await accounts.logIn(person)).statusCode).toBe(429);
  await forgot(person.email, toBrowser("own"));
  const answer = await reset(person.email, { proof: getProof(accounts.takeMails()) });
  expect(answer.json()).toMatchObject({ session: { user: { username: person.username } } });
  const again = { username: person.username, password: NEW };
  expect((await accounts.logIn(again)).statusCode).toBe(429);
  expect((await accounts.logIn({ ...again, cookie: toCookieHeader(answer) })).statusCode).toBe(200);
});

describe("a code that comes from elsewhere than the registration", () => {
  const named = () => `person_${++count}`;

  test("proves the address, ends the registrant's sessions and password, and lets a new one be set", async () => {
    const username = named();
    await register(accounts, username);
    const email = `${username}@example.org`;
    const { tokens } = await accounts.signIn(username);
    const answer = await verify(accounts, email, getCode(accounts.takeMails()));
    expect(answer.json()).toMatchObject({
      success: true,
      session: null,
      message: expect.stringMatching(/^Your address is confirmed\. .*choose a password now/),
      reset: { email, proof: expect.any(String) },
    });
    expect((await accounts.getMe(tokens.access_token)).statusCode).toBe(401);
    expect((await accounts.refresh(tokens.refresh_token)).statusCode).toBe(401);
    expect((await accounts.logIn({ username, password: PASSWORD })).statusCode).toBe(401);
    const set = await reset(email, { proof: answer.json().reset.proof });
    expect(set.json()).toMatchObject({
      session: { user: { username, is_email_verified: true, access_level: 1 } },
    });
    expect((await accounts.logIn({ username, password: NEW })).statusCode).toBe(200);
  });

  test("by the mail's link the same, and whoever closes that page asks for a mail", async () => {
    const username = named();
    await register(accounts, username);
    const email = `${username}@example.org`;
    const proof = getProof(accounts.takeMails());
    const url = "/api/users/verify-email/";
    const answer = await accounts.send("POST", url, { payload: { email, proof }, lang: "tr" });
    expect(answer.json()).toMatchObject({ session: null, reset: { email } });
    expect(answer.json().message).toMatch(/^Adresiniz doğrulandı\./);
    await forgot(email, toBrowser("own"));
    expect((await reset(email, { proof: getProof(accounts.takeMails()) })).statusCode).toBe(200);
  });

  test("of somebody who is signed in to another account the same", async () => {
    const [username, other] = [named(), await addPerson()];
    await register(accounts, username);
    const { tokens } = await accounts.signIn(other.username);
    const code = getCode(accounts.takeMails());
    const answer = await verify(accounts, `${username}@example.org`, code, { token: tokens.access_token });
    expect(answer.json()).toMatchObject({ session: null, reset: { proof: expect.any(String) } });
  });
});
