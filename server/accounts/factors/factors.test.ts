import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import type { LightMyRequestResponse } from "fastify";
import { TOTP } from "otpauth";
import {
  secondFactorAsked,
  secondFactorChanged,
  secondFactorState,
} from "#contract/accounts/second-factor.ts";
import { openMemoryCounters } from "#server/base/counters.ts";
import { createSealing } from "#server/base/sealing.ts";
import { meetAtLock } from "#test/meet-at-lock.ts";
import { type AccountsFixture, OWNER, openAccounts } from "../fixture.ts";
import { FACTOR_GRACE_MS } from "../sessions/obligation.ts";
import { RECENT_MS } from "../sessions/recent.ts";
import { createLoginLimits } from "../sign-in/limits.ts";
import { getCode } from "../test-registration.ts";
import { loadSigningKeys } from "../tokens/key-ring.ts";
import { deriveSecret } from "../tokens/keys.ts";
import { createAppSealing, resealAppSecrets } from "./codes.ts";
import { createAuthenticator } from "./test-authenticator.ts";

const BASE = "/api/users/second-factor/";
const ORIGIN = "http://localhost";
const MINUTE_MS = 60_000;

let accounts: AccountsFixture;
let count = 0;
beforeAll(async () => {
  accounts = await openAccounts({ factorLevel: 10 });
});
afterAll(() => accounts.close());
beforeEach(async () => {
  accounts.clock.now += 60 * MINUTE_MS;
  accounts.takeMails();
  await accounts.takeAudit();
});

interface Person {
  username: string;
  email: string;
  token: string;
  refresh: string;
}

async function addPerson(level = 1): Promise<Person> {
  const { username, email } = await accounts.addAccount(`person_${++count}`, level);
  const { tokens } = await accounts.signIn(username);
  return { username, email, token: tokens.access_token, refresh: tokens.refresh_token };
}

const send = (
  person: { token: string },
  method: "POST" | "DELETE" | "GET" | "PATCH",
  path: string,
  payload?: object,
) => accounts.send(method, `${BASE}${path}`, { token: person.token, ...(payload && { payload }) });
const readState = async (person: Person) => secondFactorState.parse((await send(person, "GET", "")).json());
const toCodeOf = (answer: LightMyRequestResponse) =>
  `${answer.statusCode} ${(answer.json() as { code: string }).code}`;
const toChanged = (answer: LightMyRequestResponse) => secondFactorChanged.parse(answer.json());
const generate = (secret: string) => new TOTP({ secret }).generate({ timestamp: accounts.clock.now });

/** Sets an app up; the next of its codes is another one. */
async function addApp(person: Person) {
  const { secret, uri } = (await send(person, "POST", "app/")).json() as { secret: string; uri: string };
  const confirmed = await send(person, "POST", "app/confirm/", { code: generate(secret) });
  accounts.clock.now += MINUTE_MS;
  return { secret, uri, confirmed };
}

async function addPasskey(person: Person, authenticator = createAuthenticator(ORIGIN)) {
  const { options, ticket } = (await send(person, "POST", "passkeys/options/")).json();
  const added = await send(person, "POST", "passkeys/", { ticket, passkey: authenticator.create(options) });
  return { authenticator, added };
}

async function logIn(person: Person) {
  const answer = await accounts.logIn({ username: person.username });
  const asked = secondFactorAsked.safeParse((answer.json() as { second_factor?: unknown }).second_factor);
  return { answer, asked: asked.data };
}
const finish = (payload: object, address?: string) =>
  accounts.send("POST", "/api/users/login/second-factor/", { payload, ...(address && { address }) });

async function requireAsked(person: Person) {
  const { asked } = await logIn(person);
  if (!asked) throw new Error("a second factor was expected");
  return asked;
}

describe("an authenticator app", () => {
  test("counts from its first code on; then a password alone opens no session", async () => {
    const person = await addPerson();
    const { uri, secret, confirmed } = await addApp(person);
    expect(uri).toBe(
      `otpauth://totp/localhost:${person.username}?issuer=localhost&secret=${secret}&algorithm=SHA1&digits=6&period=30`,
    );
    const { state, recovery_codes } = toChanged(confirmed);
    expect(state).toMatchObject({ passkeys: [], recovery_codes_left: 10, is_required: false });
    expect(state.app_since).not.toBeNull();
    expect(new Set(recovery_codes).size).toBe(10);
    expect(accounts.takeMails()).toEqual([
      expect.objectContaining({
        kind: "second_factor_changed",
        change: "app_added",
        recipient: person.email,
      }),
    ]);

    const { answer, asked } = await logIn(person);
    expect(toCodeOf(answer)).toBe("401 second_factor_required");
    expect(asked).toMatchObject({ has_app: true, has_recovery_codes: true, passkey_options: null });
    expect(answer.cookies).toEqual([]);
    const finished = await finish({ ticket: asked?.ticket, code: ` ${generate(secret)} ` });
    expect(finished.statusCode).toBe(200);
    expect((await accounts.getMe(finished.json().tokens.access_token)).statusCode).toBe(200);
    const audit = await accounts.takeAudit();
    expect(audit.map(({ action_type, detail }) => `${action_type} ${detail}`)).toEqual(
      expect.arrayContaining(["UPDATE app_added", "LOGIN app_code"]),
    );
  });

  test("whose first code is wrong counts for nothing", async () => {
    const person = await addPerson();
    await send(person, "POST", "app/");
    const wrong = await send(person, "POST", "app/confirm/", { code: "000000" });
    expect(wrong.json().errors).toEqual([expect.objectContaining({ field: "code", code: "wrong_app_code" })]);
    expect((await readState(person)).app_since).toBeNull();
    expect((await logIn(person)).answer.statusCode).toBe(200);
  });

  test("goes on when the keys that hid its secret are taken out, and says so where they were lost", async () => {
    const person = await addPerson();
    const { secret } = await addApp(person);
    const before = accounts.deps.sealing;
    const key = { kid: "new", secret: Buffer.alloc(32, 7) };
    const both = createSealing([
      deriveSecret([key], "app factors"),
      deriveSecret(await loadSigningKeys(accounts.dataDir), "app factors"),
    ]);
    try {
      const unlucky = await addPerson();
      await addApp(unlucky);
      await accounts.pool.query(
        "UPDATE account_app_factor SET sealed_secret = 'v1.x' WHERE user_id = (SELECT id FROM account_user WHERE username = $1)",
        [unlucky.username],
      );
      const { rows } = await accounts.pool.query("SELECT id FROM account_user WHERE username = $1", [
        unlucky.username,
      ]);
      expect(await resealAppSecrets(accounts.pool, both)).toEqual([rows[0]?.id]);
      accounts.deps.sealing = createAppSealing([key]);
      const { ticket } = await requireAsked(person);
      expect((await finish({ ticket, code: generate(secret) })).statusCode).toBe(200);
      accounts.deps.sealing = before;
      accounts.clock.now += MINUTE_MS;
      const lost = await finish({ ticket: (await requireAsked(person)).ticket, code: generate(secret) });
      expect(toCodeOf(lost)).toBe("409 app_unreadable");
    } finally {
      accounts.deps.sealing = before;
      await accounts.pool.query("DELETE FROM account_app_factor");
    }
  });

  test("takes each code once, and none of before or long after", async () => {
    const person = await addPerson();
    const { secret } = await addApp(person);
    const code = generate(secret);
    expect((await finish({ ticket: (await requireAsked(person)).ticket, code })).statusCode).toBe(200);
    expect(toCodeOf(await finish({ ticket: (await requireAsked(person)).ticket, code }))).toBe(
      "400 invalid_second_factor",
    );
    accounts.clock.now += 2 * MINUTE_MS;
    expect(toCodeOf(await finish({ ticket: (await requireAsked(person)).ticket, code }))).toBe(
      "400 invalid_second_factor",
    );
    expect(
      (await finish({ ticket: (await requireAsked(person)).ticket, code: generate(secret) })).statusCode,
    ).toBe(200);
  });

  test("is guessed five times, wherever from, and twenty times a day", async () => {
    const person = await addPerson();
    const { secret } = await addApp(person);
    const outcomes: string[] = [];
    for (let round = 0; round < 6; round++) {
      const { ticket } = await requireAsked(person);
      for (let guess = 0; guess < 6; guess++)
        outcomes.push(
          toCodeOf(await finish({ ticket, code: guess % 2 ? "000000" : "wrong-reco-very-code" })),
        );
      accounts.clock.now += 16 * MINUTE_MS;
    }
    const count = (code: string) => outcomes.filter((outcome) => outcome === code).length;
    expect(count("400 invalid_second_factor")).toBe(20);
    expect(count("429 too_many_logins")).toBe(16);
    const { ticket } = await requireAsked(person);
    expect(toCodeOf(await finish({ ticket, code: generate(secret) }))).toBe("429 too_many_logins");
    accounts.clock.now += 24 * 60 * MINUTE_MS;
    const later = await requireAsked(person);
    expect((await finish({ ticket: later.ticket, code: generate(secret) })).statusCode).toBe(200);
  });
});

test("a stranger who knows the password uses up no guess of a known browser, nor does a restart give them more", async () => {
  const person = await addPerson();
  const { secret } = await addApp(person);
  const known = await finish({ ticket: (await requireAsked(person)).ticket, code: generate(secret) });
  const cookie = known.cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
  let answer = known;
  const guess = async (more: { code?: string; cookie?: string } = {}) => {
    const payload = { ticket: (await requireAsked(person)).ticket, code: more.code ?? "000000" };
    answer = await accounts.send("POST", "/api/users/login/second-factor/", {
      payload,
      ...(more.cookie && { cookie: more.cookie }),
    });
    return toCodeOf(answer);
  };
  for (let count = 0; count < 20; count++) {
    if (count % 5 === 0) accounts.clock.now += 16 * MINUTE_MS;
    expect(await guess()).toBe("400 invalid_second_factor");
  }
  accounts.clock.now += 16 * MINUTE_MS;
  expect(await guess({ code: generate(secret) })).toBe("429 too_many_logins");
  const before = accounts.deps.limits;
  accounts.deps.limits = createLoginLimits(
    openMemoryCounters(() => accounts.clock.now),
    0,
  );
  try {
    expect(await guess({ code: generate(secret) })).toBe("429 too_many_logins");
    // The first five of the day were 64 minutes ago.
    expect(answer.headers["retry-after"]).toBe(String((24 * 60 - 64) * 60));
    expect(await guess({ cookie })).toBe("400 invalid_second_factor");
    const { ticket } = await requireAsked(person);
    const payload = { ticket, code: generate(secret) };
    const own = await accounts.send("POST", "/api/users/login/second-factor/", { payload, cookie });
    expect(own.statusCode).toBe(200);
  } finally {
    accounts.deps.limits = before;
  }
});

describe("a ticket between the two halves of a log-in", () => {
  test("lets in once, for ten minutes, while the password is the same, and can't be made", async () => {
    const person = await addPerson();
    const { secret } = await addApp(person);
    const first = await requireAsked(person);
    expect((await finish({ ticket: first.ticket, code: generate(secret) })).statusCode).toBe(200);
    accounts.clock.now += MINUTE_MS;
    expect(toCodeOf(await finish({ ticket: first.ticket, code: generate(secret) }))).toBe(
      "400 second_factor_over",
    );

    const late = await requireAsked(person);
    accounts.clock.now += 11 * MINUTE_MS;
    expect(toCodeOf(await finish({ ticket: late.ticket, code: generate(secret) }))).toBe(
      "400 second_factor_over",
    );

    const old = await requireAsked(person);
    await accounts.pool.query("UPDATE account_user SET password_hash = 'other' WHERE username = $1", [
      person.username,
    ]);
    expect(toCodeOf(await finish({ ticket: old.ticket, code: generate(secret) }))).toBe(
      "400 second_factor_over",
    );

    const [body = "", mark = ""] = old.ticket.split(".");
    const changed = Buffer.from(
      Buffer.from(body, "base64url")
        .toString()
        .replace(/"userId":\d+/, '"userId":1'),
    ).toString("base64url");
    for (const ticket of [`${changed}.${mark}`, `${body}.`, body, "x.y", `.${mark}`])
      expect(toCodeOf(await finish({ ticket, code: "000000" }))).toBe("400 second_factor_over");
  });

  test("is good for its own purpose alone", async () => {
    const person = await addPerson();
    const { authenticator } = await addPasskey(person);
    const { options, ticket } = (await send(person, "POST", "passkeys/options/")).json();
    expect(toCodeOf(await finish({ ticket, passkey: authenticator.get(options) }))).toBe(
      "400 second_factor_over",
    );
  });
});

describe("a recovery code", () => {
  test("lets in once, in any spelling; new ones end those before", async () => {
    const person = await addPerson();
    const [first = "", second = ""] = toChanged((await addApp(person)).confirmed).recovery_codes ?? [];
    // 24 characters of 32 are 120 bits; a plain hash is good from 112 on.
    expect(first).toMatch(/^([0-9a-hj-np-tv-z]{4}-){5}[0-9a-hj-np-tv-z]{4}$/);
    const typed = first.toUpperCase().replaceAll("-", " ");
    const used = await finish({ ticket: (await requireAsked(person)).ticket, code: typed });
    expect(used.statusCode).toBe(200);
    expect(toCodeOf(await finish({ ticket: (await requireAsked(person)).ticket, code: first }))).toBe(
      "400 invalid_second_factor",
    );
    expect((await readState(person)).recovery_codes_left).toBe(9);

    const renewed = toChanged(await send(person, "POST", "recovery-codes/"));
    expect(renewed.state.recovery_codes_left).toBe(10);
    expect(toCodeOf(await finish({ ticket: (await requireAsked(person)).ticket, code: second }))).toBe(
      "400 invalid_second_factor",
    );
    const { rows } = await accounts.pool.query("SELECT code_hash FROM account_recovery_code");
    expect(JSON.stringify(rows)).not.toContain(renewed.recovery_codes?.[0]);
  });

  test("isn't made where there is nothing to recover", async () => {
    expect(toCodeOf(await send(await addPerson(), "POST", "recovery-codes/"))).toBe(
      "409 second_factor_missing",
    );
  });
});

describe("a passkey", () => {
  test("is the second factor, and the only one by itself", async () => {
    const person = await addPerson();
    const { authenticator, added } = await addPasskey(person);
    const { state, recovery_codes } = toChanged(added);
    expect(state.passkeys).toEqual([expect.objectContaining({ last_used_at: null, is_synced: false })]);
    expect(recovery_codes).toHaveLength(10);

    const asked = await requireAsked(person);
    const second = await finish({
      ticket: asked.ticket,
      passkey: authenticator.get(asked.passkey_options ?? {}),
    });
    expect(second.statusCode).toBe(200);

    const { options, ticket } = (await accounts.send("POST", "/api/users/login/passkey/options/")).json();
    expect(options.allowCredentials).toEqual([]);
    const alone = await accounts.send("POST", "/api/users/login/passkey/", {
      payload: { ticket, passkey: authenticator.get(options) },
    });
    expect(alone.json().user.username).toBe(person.username);
    expect((await readState(person)).passkeys[0]?.last_used_at).not.toBeNull();
  });

  const loginBy = async (
    authenticator: ReturnType<typeof createAuthenticator>,
    more: Parameters<typeof authenticator.get>[1] = {},
  ) => {
    const { options, ticket } = (await accounts.send("POST", "/api/users/login/passkey/options/")).json();
    const payload = { ticket, passkey: authenticator.get(options, more) };
    return { payload, answer: await accounts.send("POST", "/api/users/login/passkey/", { payload }) };
  };

  test("of another site, without finger or PIN, that nobody knows, or used twice lets nobody in", async () => {
    const person = await addPerson();
    const { authenticator } = await addPasskey(person);
    expect(toCodeOf((await loginBy(authenticator, { from: "https://localhost.evil" })).answer)).toBe(
      "400 passkey_unknown",
    );
    expect(toCodeOf((await loginBy(authenticator, { isVerified: false })).answer)).toBe(
      "400 passkey_unknown",
    );
    expect(toCodeOf((await loginBy(createAuthenticator(ORIGIN))).answer)).toBe("400 passkey_unknown");
    const good = await loginBy(authenticator);
    expect(good.answer.statusCode).toBe(200);
    const again = await accounts.send("POST", "/api/users/login/passkey/", { payload: good.payload });
    expect(again.statusCode).toBe(400);
  });

  test("of somebody else is refused without a wait for their account", async () => {
    const [person, other] = [await addPerson(), await addPerson()];
    await addPasskey(person);
    const { authenticator } = await addPasskey(other);
    const asked = await requireAsked(person);
    const { passkey: confirmation } = (
      await accounts.send("POST", "/api/users/confirm/options/", { token: person.token })
    ).json();
    const { answers, waited } = await meetAtLock(
      accounts.pool,
      (db) => db.query("SELECT FROM account_user WHERE username = $1 FOR UPDATE", [other.username]),
      [
        () => finish({ ticket: asked.ticket, passkey: authenticator.get(asked.passkey_options ?? {}) }),
        () =>
          accounts.send("POST", "/api/users/confirm/", {
            token: person.token,
            payload: { ticket: confirmation.ticket, passkey: authenticator.get(confirmation.options) },
          }),
      ],
    );
    expect([waited, answers.map(toCodeOf)]).toEqual([
      0,
      ["400 invalid_second_factor", "400 invalid_second_factor"],
    ]);
  });

  test("whose count doesn't grow is a copy's", async () => {
    const person = await addPerson();
    const { authenticator } = await addPasskey(person);
    authenticator.setCount(8);
    expect((await loginBy(authenticator)).answer.statusCode).toBe(200);
    authenticator.setCount(3);
    expect(toCodeOf((await loginBy(authenticator)).answer)).toBe("400 passkey_unknown");
  });

  test("opens no suspended account", async () => {
    const person = await addPerson();
    const { authenticator } = await addPasskey(person);
    await accounts.pool.query("UPDATE account_user SET is_active = false WHERE username = $1", [
      person.username,
    ]);
    expect(toCodeOf((await loginBy(authenticator)).answer)).toBe("400 passkey_unknown");
  });

  test("is one account's: another one can't take it, nor use its number", async () => {
    const [person, other] = [await addPerson(), await addPerson()];
    const { authenticator } = await addPasskey(person);
    expect(toCodeOf((await addPasskey(other, authenticator)).added)).toBe("409 passkey_known");
    const id = (await readState(person)).passkeys[0]?.id;
    expect(toCodeOf(await send(other, "DELETE", `passkeys/${id}/`))).toBe("404 object_not_found");
    expect(toCodeOf(await send(other, "PATCH", `passkeys/${id}/`, { name: "Mine" }))).toBe(
      "404 object_not_found",
    );
    const named = await send(person, "PATCH", `passkeys/${id}/`, { name: " Key at home " });
    expect(named.json().passkeys[0].name).toBe("Key at home");
    const removed = toChanged(await send(person, "DELETE", `passkeys/${id}/`));
    expect(removed.state).toMatchObject({ passkeys: [], recovery_codes_left: 0 });
    expect((await logIn(person)).answer.statusCode).toBe(200);
  });

  test.each(["192.0.2.7", "[2001:db8::1]", "site.example"])("isn't offered at http://%s", async (host) => {
    const answer = await accounts.call({
      method: "POST",
      url: "/api/users/login/passkey/options/",
      headers: { host },
    });
    expect(toCodeOf(answer)).toBe("409 passkeys_unavailable");
  });
});

describe("a change of factors", () => {
  const options = { challenge: "none", rp: { id: "localhost" } };
  const NEW_PASSKEY = { ticket: "none", passkey: createAuthenticator(ORIGIN).create(options) };
  const CHANGES = [
    ["POST", "app/", undefined],
    ["DELETE", "app/", undefined],
    ["POST", "app/confirm/", { code: "000000" }],
    ["POST", "passkeys/options/", undefined],
    ["POST", "passkeys/", NEW_PASSKEY],
    ["DELETE", "passkeys/1/", undefined],
    ["POST", "recovery-codes/", undefined],
  ] as const;

  test.each(CHANGES)(
    "%s %s asks for a log-in of the last ten minutes, and for one at all",
    async (method, path, payload) => {
      const person = await addPerson();
      accounts.clock.now += RECENT_MS;
      const { access } = (await accounts.refresh(person.refresh)).json();
      expect(toCodeOf(await send({ token: access }, method, path, payload))).toBe("403 step_up_required");
      expect((await accounts.send(method, `${BASE}${path}`, payload && { payload })).statusCode).toBe(401);
    },
  );

  test("goes on once the password was typed again; the token says when", async () => {
    const person = await addPerson();
    accounts.clock.now += RECENT_MS;
    const confirm = (payload: object) =>
      accounts.send("POST", "/api/users/confirm/", { token: person.token, payload });
    expect((await confirm({ password: "wrong" })).json().errors).toEqual([
      expect.objectContaining({ field: "password", code: "wrong_password" }),
    ]);
    expect(toCodeOf(await send(person, "POST", "app/"))).toBe("403 step_up_required");
    const confirmed = await confirm({ password: OWNER.password });
    const [, claims = ""] = (confirmed.json() as { access: string }).access.split(".");
    expect(JSON.parse(Buffer.from(claims, "base64url").toString()).auth_time).toBe(accounts.clock.now / 1000);
    expect((await send(person, "POST", "app/")).statusCode).toBe(200);
  });

  test("or a passkey of the same person was shown", async () => {
    const [person, other] = [await addPerson(), await addPerson()];
    const { authenticator } = await addPasskey(person);
    const foreign = await addPasskey(other);
    accounts.clock.now += RECENT_MS;
    const ask = async () =>
      (await accounts.send("POST", "/api/users/confirm/options/", { token: person.token })).json().passkey;
    const confirm = (payload: object) =>
      accounts.send("POST", "/api/users/confirm/", { token: person.token, payload });
    const first = await ask();
    expect(
      toCodeOf(await confirm({ ticket: first.ticket, passkey: foreign.authenticator.get(first.options) })),
    ).toBe("400 invalid_second_factor");
    const passkey = authenticator.get(first.options);
    expect((await confirm({ ticket: first.ticket, passkey })).statusCode).toBe(200);
    expect((await send(person, "POST", "app/")).statusCode).toBe(200);
    expect((await confirm({ ticket: first.ticket, passkey })).statusCode).toBe(400);
  });
});

describe("the factors of a protected account", () => {
  /** The person goes on with the token that it answers. */
  const confirm = async (person: Person, payload: object) => {
    const answer = await accounts.send("POST", "/api/users/confirm/", { token: person.token, payload });
    if (answer.statusCode === 200) person.token = answer.json().access;
    return answer;
  };
  const options = { challenge: "none", rp: { id: "localhost" } };
  const CHANGES = [
    ["POST", "app/", undefined],
    ["DELETE", "app/", undefined],
    ["POST", "app/confirm/", { code: "000000" }],
    ["POST", "passkeys/options/", undefined],
    ["POST", "passkeys/", { ticket: "none", passkey: createAuthenticator(ORIGIN).create(options) }],
    ["DELETE", "passkeys/1/", undefined],
    ["POST", "recovery-codes/", undefined],
  ] as const;

  test("change by one of them alone: who knows the password gets no further", async () => {
    const person = await addPerson();
    const { secret } = await addApp(person);
    accounts.clock.now += RECENT_MS;
    expect((await confirm(person, { password: OWNER.password })).statusCode).toBe(200);
    for (const [method, path, payload] of CHANGES) {
      const answer = await send(person, method, path, payload);
      expect([path, toCodeOf(answer), answer.json().needs_factor]).toEqual([
        path,
        "403 step_up_required",
        true,
      ]);
    }
    expect(toCodeOf(await confirm(person, { code: "000000" }))).toBe("400 invalid_second_factor");
    expect(toCodeOf(await send(person, "POST", "recovery-codes/"))).toBe("403 step_up_required");
    expect((await confirm(person, { code: generate(secret) })).statusCode).toBe(200);
    expect((await send(person, "POST", "recovery-codes/")).statusCode).toBe(200);
    accounts.clock.now += RECENT_MS;
    expect(toCodeOf(await send(person, "DELETE", "app/"))).toBe("403 step_up_required");
  });

  test("are that from the moment on in which there are some: a change that was begun before needs one too", async () => {
    const person = await addPerson();
    const authenticator = createAuthenticator(ORIGIN);
    const asked = (await send(person, "POST", "passkeys/options/")).json();
    const payload = { ticket: asked.ticket, passkey: authenticator.create(asked.options) };
    const { answers } = await meetAtLock(
      accounts.pool,
      (db) => db.query("SELECT FROM account_user WHERE username = $1 FOR UPDATE", [person.username]),
      [() => send(person, "POST", "passkeys/", payload)],
      (db) =>
        db.query(
          `INSERT INTO account_app_factor (user_id, sealed_secret, confirmed_at, created_at)
           SELECT id, 'of another session', now(), now() FROM account_user WHERE username = $1`,
          [person.username],
        ),
    );
    expect(answers.map(toCodeOf)).toEqual(["403 step_up_required"]);
    expect((await readState(person)).passkeys).toEqual([]);
  });

  test("change after a log-in or a confirmation by any of them, a recovery code being gone with it", async () => {
    const person = await addPerson();
    const { secret, confirmed } = await addApp(person);
    const { authenticator } = await addPasskey(person);
    const [first, second] = toChanged(confirmed).recovery_codes ?? [];
    const ways = async () => {
      const answer = await accounts.send("POST", "/api/users/confirm/options/", { token: person.token });
      return answer.json();
    };
    expect(await ways()).toMatchObject({ has_app: true, has_recovery_codes: true });
    for (const toProof of [
      async () => ({ code: first }),
      async () => ({ code: generate(secret) }),
      async () => {
        const { passkey } = await ways();
        return { ticket: passkey.ticket, passkey: authenticator.get(passkey.options) };
      },
    ]) {
      accounts.clock.now += RECENT_MS;
      expect(toCodeOf(await send(person, "POST", "passkeys/options/"))).toBe("403 step_up_required");
      expect((await confirm(person, await toProof())).statusCode).toBe(200);
      expect((await send(person, "POST", "passkeys/options/")).statusCode).toBe(200);
    }
    expect(toCodeOf(await confirm(person, { code: first }))).toBe("400 invalid_second_factor");
    const entered = await finish({ ticket: (await requireAsked(person)).ticket, code: second });
    const again = { ...person, token: entered.json().tokens.access_token };
    expect((await send(again, "POST", "recovery-codes/")).statusCode).toBe(200);
  });

  test("aren't asked for where there are none: an app whose code was never typed counts for nothing", async () => {
    const person = await addPerson();
    await send(person, "POST", "app/");
    accounts.clock.now += RECENT_MS;
    const refused = await send(person, "POST", "app/");
    expect([toCodeOf(refused), refused.json().needs_factor]).toEqual(["403 step_up_required", undefined]);
    await confirm(person, { password: OWNER.password });
    expect((await send(person, "POST", "app/")).statusCode).toBe(200);
  });
});

describe("a log-in that meets a change of factors", () => {
  test.each(["app", "passkey", "recovery code"])(
    "by %s waits for the account, and holds nothing that the change wants",
    async (kind) => {
      const person = await addPerson();
      const { secret, confirmed } = await addApp(person);
      const { authenticator } = await addPasskey(person);
      const asked = await requireAsked(person);
      const proof = {
        app: { code: generate(secret) },
        passkey: { passkey: authenticator.get(asked.passkey_options ?? {}) },
        "recovery code": { code: toChanged(confirmed).recovery_codes?.[0] },
      }[kind];
      let held: unknown = "nothing";
      const { answers } = await meetAtLock(
        accounts.pool,
        (db) => db.query("SELECT FROM account_user WHERE username = $1 FOR UPDATE", [person.username]),
        [() => finish({ ticket: asked.ticket, ...proof })],
        async (db) => {
          for (const table of ["account_app_factor", "account_passkey", "account_recovery_code"])
            await db.query(
              `SELECT FROM ${table} f JOIN account_user u ON u.id = f.user_id
               WHERE u.username = $1 FOR UPDATE OF f NOWAIT`,
              [person.username],
            );
          held = "checked";
        },
      );
      expect(held).toBe("checked");
      expect(answers.map(({ statusCode }) => statusCode)).toEqual([200]);
    },
  );
});

describe("a forgotten password", () => {
  test("is set by the code from the mail, and the second factor is asked for all the same", async () => {
    const person = await addPerson();
    const { secret } = await addApp(person);
    accounts.takeMails();
    const asked = (
      await accounts.send("POST", "/api/users/password/forgot/", { payload: { email: person.email } })
    ).json();
    const password = "a creature on the ice";
    const reset = await accounts.send("POST", "/api/users/password/reset/", {
      payload: {
        ...asked,
        email: person.email,
        otp_code: getCode(accounts.takeMails()),
        password,
        password_confirm: password,
      },
    });
    expect(toCodeOf(reset)).toBe("401 second_factor_required");
    const { ticket } = secondFactorAsked.parse(reset.json().second_factor);
    accounts.clock.now += MINUTE_MS;
    expect((await finish({ ticket, code: generate(secret) })).statusCode).toBe(200);
    expect((await accounts.logIn({ username: person.username })).json().code).toBe("invalid_credentials");
  });
});

describe("a level that needs a second factor", () => {
  const getDue = async (token: string) =>
    (await accounts.getMe(token)).json().second_factor_due_at as string | null;

  test("leaves seven days, then gives what a user has until there is one", async () => {
    const person = await addPerson(10);
    expect(Date.parse((await getDue(person.token)) ?? "")).toBe(accounts.clock.now + FACTOR_GRACE_MS);
    expect((await accounts.deps.sessionAccounts.find(sessionOf(person.token)))?.person.level).toBe(10);
    accounts.clock.now += FACTOR_GRACE_MS;
    const { tokens } = await accounts.signIn(person.username);
    const found = await accounts.deps.sessionAccounts.find(sessionOf(tokens.access_token));
    expect(found?.person).toMatchObject({ level: 1, owesFactor: true });

    const late = { ...person, token: tokens.access_token };
    expect(await readState(late)).toMatchObject({ is_required: true, can_use_passkeys: true });
    await addPasskey(late);
    expect(await getDue(late.token)).toBeNull();
    expect((await accounts.deps.sessionAccounts.find(sessionOf(late.token)))?.person.level).toBe(10);
  });

  test("keeps its last factor", async () => {
    const person = await addPerson(10);
    await addApp(person);
    expect(toCodeOf(await send(person, "DELETE", "app/"))).toBe("409 second_factor_needed");
    await addPasskey(person);
    expect((await send(person, "DELETE", "app/")).statusCode).toBe(200);
    const id = (await readState(person)).passkeys[0]?.id;
    expect(toCodeOf(await send(person, "DELETE", `passkeys/${id}/`))).toBe("409 second_factor_needed");
  });

  test("is no other one's: users and guests owe nothing", async () => {
    const person = await addPerson(9);
    expect(await getDue(person.token)).toBeNull();
    expect((await readState(person)).is_required).toBe(false);
  });

  test("begins when the level is given, at the next renewal, and ends with it", async () => {
    const person = await addPerson(1);
    const setLevel = async (level: number) => {
      await accounts.pool.query(
        "UPDATE account_user SET access_level_id = (SELECT id FROM access_level WHERE level = $2) WHERE username = $1",
        [person.username, level],
      );
      accounts.feed.announce("accounts.user");
      accounts.clock.now += MINUTE_MS;
    };
    await setLevel(10);
    expect(await getDue(person.token)).toBeNull(); // and the session is cached so
    const first = (await accounts.refresh(person.refresh)).json();
    const due = await getDue(first.access);
    expect(due).not.toBeNull();
    await setLevel(1);
    expect(await getDue(first.access)).toBe(due);
    const second = (await accounts.refresh(first.refresh)).json();
    expect(await getDue(second.access)).toBeNull();
  });

  test("counts for sessions that are open already, whichever process knows them", async () => {
    const person = await addPerson(1);
    await accounts.pool.query(
      "UPDATE account_user SET access_level_id = (SELECT id FROM access_level WHERE level = 10) WHERE username = $1",
      [person.username],
    );
    accounts.feed.announce("accounts.user");
    expect(await getDue(person.token)).toBeNull();
    // Notices come in the order of commits: this one behind that of the log-in.
    const told = new Promise<void>((resolve) => {
      accounts.feed.subscribe((modelKey) => modelKey === "test.behind" && resolve());
    });
    await accounts.signIn(person.username);
    await accounts.pool.query("SELECT pg_notify('foyer_changed', 'test.behind')");
    await told;
    expect(await getDue(person.token)).not.toBeNull();
  });
});

function sessionOf(token: string): string {
  const [, claims = ""] = token.split(".");
  return JSON.parse(Buffer.from(claims, "base64url").toString()).sid;
}
