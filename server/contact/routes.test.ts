import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { errorEnvelope } from "#contract/errors.ts";
import { receiveAll } from "#test/receive-all.ts";
import { until } from "#test/until.ts";
import { CHALLENGE_LIFETIME_MS, CHALLENGE_WAIT_MS } from "./challenge.ts";
import { type ContactFixture, MESSAGE, openContact, solve } from "./fixture.ts";

let contact: ContactFixture;
beforeAll(async () => {
  contact = await openContact();
});
afterAll(() => contact.close());
beforeEach(async () => {
  await contact.takeStored();
});

test("a challenge is kept by nobody, and each is another one", async () => {
  const answers = await Promise.all(
    [1, 2].map(() => contact.site.app.inject({ url: "/api/contact/challenge" })),
  );
  for (const answer of answers) expect(answer.headers["cache-control"]).toBe("no-store");
  const [a, b] = answers.map((answer) => answer.json());
  expect(a).toMatchObject({ puzzles: 16, zero_bits: 9, wait_ms: 3000, lifetime_ms: 600_000 });
  expect(a.challenge).not.toBe(b.challenge);
});

describe("an honest message", () => {
  test("is stored as it was written, trimmed, in the language of the page", async () => {
    const received: (string | undefined)[] = [];
    contact.site.feed.subscribe((model) => received.push(model));
    const answer = await contact.post(
      {
        ...MESSAGE,
        name: "  Işıl\tÖrnek ",
        message: "\n Çok iyi! 👩‍💻\r\nSorum şu:\r\n\tneden? \n",
        website: "",
        ...(await contact.getProof()),
      },
      { headers: { "accept-language": "tr" } },
    );
    expect(answer.statusCode).toBe(200);
    expect(answer.headers["cache-control"]).toBe("no-store");
    expect(answer.json()).toEqual({ success: true, error: null, details: null });
    expect(await contact.takeStored()).toEqual([
      { ...MESSAGE, message: "Çok iyi! 👩‍💻\nSorum şu:\n\tneden?", language: "tr" },
    ]);
    expect(received).toContain("contact.message");
    // This process notified itself before it answered; PostgreSQL notifies all processes a moment later.
    await until(() => received.filter((model) => model === "contact.message").length === 2);
  });

  test("that is sent twice is stored once, and both answers say that it was sent", async () => {
    const payload = { ...MESSAGE, ...(await contact.getProof()) };
    const first = await contact.post(payload);
    // The first answer was lost on the way; the person tries again much later.
    contact.clock.now += CHALLENGE_LIFETIME_MS * 2;
    const second = await contact.post({ ...payload, message: ` ${payload.message}\r\n` });
    expect([first.json(), second.json()]).toEqual(
      Array(2).fill({ success: true, error: null, details: null }),
    );
    expect(await contact.takeStored()).toHaveLength(1);
  });

  test("that is sent ten times at once is stored once, all answers are the same, and one place is taken", async () => {
    const from = contact.takeAddress();
    const payload = { ...MESSAGE, ...(await contact.getProof()) };
    const answers = await Promise.all(Array.from({ length: 10 }, () => contact.post(payload, { from })));
    expect(new Set(answers.map((answer) => `${answer.statusCode} ${answer.body}`)).size).toBe(1);
    expect(answers[0]?.statusCode).toBe(200);
    expect(await contact.takeStored()).toHaveLength(1);
    for (let place = 0; place < 4; place += 1) {
      const next = await contact.post({ ...MESSAGE, ...(await contact.getProof()) }, { from });
      expect(next.statusCode).toBe(200);
    }
  });

  test("of 500 emoji is not too long", async () => {
    const message = "👋".repeat(500);
    const answer = await contact.post({ ...MESSAGE, message, ...(await contact.getProof()) });
    expect(answer.statusCode).toBe(200);
    expect(await contact.takeStored()).toMatchObject([{ message }]);
  });

  test("is announced to nobody while it is refused", async () => {
    const received: (string | undefined)[] = [];
    contact.site.feed.subscribe((model) => received.push(model));
    const { database, feed } = contact.site;
    await receiveAll(database.pool, feed);
    received.length = 0;
    await contact.post({ ...MESSAGE, website: "x", ...(await contact.getProof()) });
    await receiveAll(database.pool, feed);
    expect(received).not.toContain("contact.message");
  });
});

describe("a scripted post is refused and not stored:", () => {
  const forged = "work.mabc.AAAAAAAAAAAAAAAAAAAAAA.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
  test.each<[string, string, () => Promise<unknown>]>([
    [
      "a solution without its challenge",
      "contact_challenge_required",
      async () => ({ ...MESSAGE, solution: (await contact.getProof()).solution }),
    ],
    [
      "a challenge without a solution",
      "contact_challenge_unsolved",
      async () => ({ ...MESSAGE, ...(await contact.getProof()), solution: "" }),
    ],
    [
      "a wrong solution",
      "contact_challenge_unsolved",
      async () => ({ ...MESSAGE, ...(await contact.getProof()), solution: Array(16).fill("1").join(".") }),
    ],
    [
      "the solution of another challenge",
      "contact_challenge_unsolved",
      async () => ({
        ...MESSAGE,
        ...(await contact.getProof()),
        solution: (await contact.getProof()).solution,
      }),
    ],
    [
      "a forged challenge, worked off",
      "contact_challenge_invalid",
      async () => ({
        ...MESSAGE,
        challenge: forged,
        solution: solve({ ...(await contact.getChallenge()), challenge: forged }),
      }),
    ],
    [
      "an expired challenge",
      "contact_challenge_expired",
      async () => {
        const proof = await contact.getProof();
        contact.clock.now += CHALLENGE_LIFETIME_MS;
        return { ...MESSAGE, ...proof };
      },
    ],
    [
      "faster than a person",
      "contact_too_fast",
      async () => {
        const work = await contact.getChallenge();
        contact.clock.now += CHALLENGE_WAIT_MS - 1;
        return { ...MESSAGE, challenge: work.challenge, solution: solve(work) };
      },
    ],
    [
      "a filled trap",
      "contact_trap_filled",
      async () => ({ ...MESSAGE, website: "https://spam.test", ...(await contact.getProof()) }),
    ],
    [
      "NUL in a text",
      "malformed_body",
      async () => ({ ...MESSAGE, name: "Ada\0", ...(await contact.getProof()) }),
    ],
    [
      "an over-long text",
      "validation_failed",
      async () => ({ ...MESSAGE, subject: "x".repeat(60_000), ...(await contact.getProof()) }),
    ],
    [
      "a number for a text",
      "validation_failed",
      async () => ({ ...MESSAGE, name: 5, ...(await contact.getProof()) }),
    ],
    [
      "a list for a text",
      "validation_failed",
      async () => ({ ...MESSAGE, message: ["Hello"], ...(await contact.getProof()) }),
    ],
    ["a list", "validation_failed", async () => [MESSAGE]],
    ["a text", "validation_failed", async () => "message"],
    ["null", "validation_failed", async () => null],
  ])("%s → %s", async (_what, code, build) => {
    const answer = await contact.post(await build());
    expect(answer.statusCode).toBe(400);
    expect(errorEnvelope.parse(answer.json())).toMatchObject({ code, status: 400 });
    const { success, error, message, detail } = answer.json();
    expect({ success, error, detail }).toEqual({ success: false, error: message, detail: message });
    expect(await contact.takeStored()).toEqual([]);
  });

  test("a challenge that another message has used", async () => {
    const proof = await contact.getProof();
    expect((await contact.post({ ...MESSAGE, ...proof })).statusCode).toBe(200);
    const answer = await contact.post({ ...MESSAGE, subject: "Something else", ...proof });
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ code: "contact_challenge_used", success: false });
    expect(await contact.takeStored()).toHaveLength(1);
  });

  test("ten messages at once with one challenge: one is stored", async () => {
    const proof = await contact.getProof();
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        contact.post({ ...MESSAGE, subject: `Message ${index}`, ...proof }),
      ),
    );
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
    expect(await contact.takeStored()).toHaveLength(1);
  });

  test.each([
    ["text/plain", "Hello", 400],
    ["application/x-www-form-urlencoded", "name=Ada", 415],
    ["application/json", "{", 400],
    ["application/json", "", 400],
  ])("%s with %j → %d", async (type, payload, status) => {
    const answer = await contact.site.app.inject({
      method: "POST",
      url: "/api/contact/",
      headers: { "content-type": type },
      payload,
    });
    expect(answer.statusCode).toBe(status);
    expect(answer.json()).toMatchObject({ success: false, status });
    expect(await contact.takeStored()).toEqual([]);
  });

  test("more than five from an address within ten minutes", async () => {
    const from = "2001:db8::1";
    for (let count = 0; count < 5; count += 1) {
      const answer = await contact.post({ ...MESSAGE, ...(await contact.getProof()) }, { from });
      expect(answer.statusCode).toBe(200);
    }
    const payload = { ...MESSAGE, ...(await contact.getProof()) };
    const answer = await contact.post(payload, { from: "2001:db8::ffff:2" });
    expect(answer.statusCode).toBe(429);
    expect(Number(answer.headers["retry-after"])).toBeGreaterThan(500);
    expect(answer.json()).toMatchObject({
      success: false,
      code: "too_many_messages",
      error: "Too many messages came from your network. Please try again in about 10 min.",
    });
    expect(await contact.takeStored()).toHaveLength(5);
    // Nothing was used up: from elsewhere the same post passes.
    expect((await contact.post(payload)).statusCode).toBe(200);
  });
});

describe("the rules of the page", () => {
  test.each<[string, Record<string, unknown>, string, string, string]>([
    ["no name", { name: undefined }, "name", "Name is required", "Ad gerekli"],
    ["a blank name", { name: " \u00a0\t" }, "name", "Name is required", "Ad gerekli"],
    ["null", { name: null }, "name", "Name is required", "Ad gerekli"],
    [
      "a short name",
      { name: " A " },
      "name",
      "Name must be at least 2 characters",
      "Ad en az 2 karakter olmalı",
    ],
    ["one emoji", { name: "👋" }, "name", "Name must be at least 2 characters", "Ad en az 2 karakter olmalı"],
    [
      "a long name",
      { name: "x".repeat(101) },
      "name",
      "Name must be at most 100 characters",
      "Ad en fazla 100 karakter olabilir",
    ],
    ["no address", { email: "" }, "email", "Email is required", "E-posta gerekli"],
    ...[
      "ada",
      "ada@",
      "@example.org",
      "ada@example",
      "ada@example..org",
      "ada@example.org.",
      "a da@example.org",
      "ada@exa mple.org",
      "ada@b@example.org",
      "Ada <ada@example.org>",
      "ada@example.org,bob@example.org",
      "ada@example.org\nBcc: all@example.org",
    ].map((email): [string, Record<string, unknown>, string, string, string] => [
      JSON.stringify(email),
      { email },
      "email",
      "Please enter a valid email address",
      "Lütfen geçerli bir e-posta adresi girin",
    ]),
    [
      "a long address",
      { email: `${"x".repeat(243)}@example.org` },
      "email",
      "Email must be at most 254 characters",
      "E-posta en fazla 254 karakter olabilir",
    ],
    ["no subject", { subject: "  " }, "subject", "Subject is required", "Konu gerekli"],
    [
      "a short subject",
      { subject: "Hey! " },
      "subject",
      "Subject must be at least 5 characters",
      "Konu en az 5 karakter olmalı",
    ],
    [
      "a long subject",
      { subject: "x".repeat(201) },
      "subject",
      "Subject must be at most 200 characters",
      "Konu en fazla 200 karakter olabilir",
    ],
    ["no message", { message: "\n\n" }, "message", "Message is required", "Mesaj gerekli"],
    [
      "a short message",
      { message: "123456789" },
      "message",
      "Message must be at least 10 characters",
      "Mesaj en az 10 karakter olmalı",
    ],
    [
      "a long message",
      { message: "x".repeat(501) },
      "message",
      "Message must be less than 500 characters",
      "Mesaj en fazla 500 karakter olabilir",
    ],
  ])("refuse %s", async (_what, change, field, en, tr) => {
    for (const [lang, text] of [
      ["en", en],
      ["tr", tr],
    ] as const) {
      const answer = await contact.post({ ...MESSAGE, ...change }, { headers: { "accept-language": lang } });
      expect(answer.statusCode).toBe(400);
      expect(answer.json()).toMatchObject({
        success: false,
        code: "validation_failed",
        details: text,
        errors: [{ field, message: text }],
      });
    }
    expect(await contact.takeStored()).toEqual([]);
  });

  test.each([
    { name: "Al", email: "a@b.co", subject: "12345", message: "1234567890" },
    {
      name: "x".repeat(100),
      email: `${"x".repeat(242)}@example.org`,
      subject: "x".repeat(200),
      message: "x".repeat(500),
    },
    { ...MESSAGE, email: "ışıl+iş@örnek.com.tr" },
  ])("let the edges pass", async (values) => {
    const answer = await contact.post({ ...values, ...(await contact.getProof()) });
    expect(answer.json()).toMatchObject({ success: true });
    expect(await contact.takeStored()).toMatchObject([values]);
  });

  test("all faults are reported at once", async () => {
    const answer = await contact.post({});
    expect(answer.json()).toMatchObject({
      message: "Validation failed",
      details: "Name is required. Email is required. Subject is required. Message is required",
    });
  });
});

describe("a message of another client, with the four documented keys alone,", () => {
  // Each test has an hour of its own.
  beforeEach(() => {
    contact.clock.now += 60 * 60_000;
  });
  const readProofs = async () => {
    const { rows } = await contact.site.database.pool.query<{ proof: string }>(
      "SELECT proof FROM contact_message ORDER BY id",
    );
    return rows.map(({ proof }) => proof);
  };

  test.each<[string, object]>([
    ["and nothing else", MESSAGE],
    ["and null for a proof", { ...MESSAGE, challenge: null, solution: null, website: null }],
    ["and nothing in the proof", { ...MESSAGE, challenge: "", solution: "" }],
  ])("%s is stored as unproven", async (_what, payload) => {
    const answer = await contact.post(payload);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({ success: true, error: null, details: null });
    expect(await readProofs()).toEqual(["unproven"]);
  });

  test("is told apart in the console from one that came with a proof", async () => {
    await contact.post(MESSAGE);
    await contact.post({ ...MESSAGE, subject: "With a proof", ...(await contact.getProof()) });
    expect(await readProofs()).toEqual(["unproven", "proven"]);
    const headers = { authorization: (await contact.site.signInAs(10)).authorization };
    const models = (await contact.site.app.inject({ url: "/api/admin/models/", headers })).json();
    const { content_type_id, list_columns } = models.models.find(
      ({ model_name, app_label }: Record<string, unknown>) =>
        `${app_label}.${model_name}` === "contact.message",
    );
    expect(list_columns).toEqual(expect.arrayContaining(["proof", "created_at"]));
    const query = "filters[0][field]=proof&filters[0][operator]=exact&filters[0][value]=unproven";
    const url = `/api/admin/models/${content_type_id}/objects/?${query}`;
    const { objects } = (await contact.site.app.inject({ url, headers })).json();
    expect(objects).toMatchObject([{ subject: MESSAGE.subject, proof: "unproven" }]);
  });

  test("is one in ten minutes from an address, the same again being the same message", async () => {
    const from = contact.takeAddress();
    for (let times = 0; times < 3; times += 1)
      expect((await contact.post(MESSAGE, { from })).statusCode).toBe(200);
    const answer = await contact.post({ ...MESSAGE, subject: "Another one" }, { from });
    expect(answer.statusCode).toBe(429);
    expect(answer.headers["retry-after"]).toBe("600");
    expect(errorEnvelope.parse(answer.json())).toMatchObject({
      code: "too_many_unproven_messages",
      message:
        "Too many messages came without the check that the contact page makes. Please send yours from that page, or try again in about 10 min.",
    });
    expect(answer.json().success).toBe(false);
    expect(await readProofs()).toHaveLength(1);
    // The page of the same address still sends.
    const proven = await contact.post({ ...MESSAGE, ...(await contact.getProof()) }, { from });
    expect(proven.statusCode).toBe(200);
  });

  test("is stored again when it is sent again half an hour later", async () => {
    const from = contact.takeAddress();
    expect((await contact.post(MESSAGE, { from })).statusCode).toBe(200);
    contact.clock.now += 30 * 60_000;
    expect((await contact.post(MESSAGE, { from })).statusCode).toBe(200);
    expect(await readProofs()).toHaveLength(2);
  });

  test("and sent ten times at once is stored once, and all answers are the same", async () => {
    const from = contact.takeAddress();
    const answers = await Promise.all(Array.from({ length: 10 }, () => contact.post(MESSAGE, { from })));
    expect(new Set(answers.map(({ statusCode, body }) => `${statusCode} ${body}`)).size).toBe(1);
    expect(answers[0]?.statusCode).toBe(200);
    expect(await readProofs()).toHaveLength(1);
  });

  test("is refused by the rules of the page, and takes no place then", async () => {
    const from = contact.takeAddress();
    for (const change of [{ message: "short" }, { website: "x" }, { name: "Ada\0" }])
      expect((await contact.post({ ...MESSAGE, ...change }, { from })).statusCode).toBe(400);
    expect((await contact.post(MESSAGE, { from })).statusCode).toBe(200);
  });
});

describe("a body that is far too long", () => {
  test("is refused in the words of the page before anything is done with it, and isn't read at all above 64 kB", async () => {
    const answer = await contact.post({ ...MESSAGE, message: " ".repeat(50_000) });
    expect([answer.statusCode, answer.json().errors]).toEqual([
      400,
      [
        {
          field: "message",
          code: "contact_message_long",
          message: "Message must be less than 500 characters",
        },
      ],
    ]);
    expect((await contact.post({ ...MESSAGE, message: "x".repeat(70_000) })).statusCode).toBe(413);
    expect((await contact.post({ ...MESSAGE, solution: "1".repeat(2_000) })).json().errors[0].code).toBe(
      "too_long",
    );
  });

  test("and others that are refused are answered with the documented 429 after thirty of an address", async () => {
    const from = contact.takeAddress();
    for (let post = 0; post < 30; post += 1)
      expect((await contact.post({ ...MESSAGE, message: "" }, { from })).statusCode).toBe(400);
    const answer = await contact.post(MESSAGE, { from });
    expect(answer.json()).toMatchObject({ success: false, code: "too_many_requests", status: 429 });
    expect(Number(answer.headers["retry-after"])).toBeGreaterThan(0);
    expect((await contact.post(MESSAGE)).statusCode).toBe(200);
    await contact.takeStored();
  });
});

test("a refusal speaks Turkish to who reads Turkish", async () => {
  const answer = await contact.post(
    { ...MESSAGE, solution: "1" },
    { headers: { "accept-language": "tr-TR,tr;q=0.9" } },
  );
  expect(answer.json().error).toBe(
    "Mesaj, iletişim sayfasının yaptığı denetim olmadan geldi. Lütfen o sayfadan gönderin.",
  );
});
