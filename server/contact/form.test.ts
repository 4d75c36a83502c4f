import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import type { LightMyRequestResponse } from "fastify";
import type { ContactDraft } from "#contract/site/contact.ts";
import { CHALLENGE_LIFETIME_MS, CHALLENGE_WAIT_MS } from "./challenge.ts";
import { type ContactFixture, MESSAGE, openContact } from "./fixture.ts";

let contact: ContactFixture;
beforeAll(async () => {
  contact = await openContact();
});
afterAll(() => contact.close());
beforeEach(async () => {
  await contact.takeStored();
});

/** The test server's pages show their data as JSON (test/app.ts). */
function readDraft(answer: LightMyRequestResponse): ContactDraft {
  const { screen, draft } = JSON.parse(/\{.*\}/s.exec(answer.body)?.[0] ?? "null");
  expect(screen).toBe("contact");
  return draft;
}

const FIRST = { ...MESSAGE, website: "" };
const TYPED = { values: MESSAGE, errors: {}, error: null, challenge: null, isSent: false };

/** The first post, as far as the page that asks for a confirmation. */
async function askForConfirmation(from?: string): Promise<Record<string, string>> {
  const { challenge } = readDraft(await contact.postForm(FIRST, from ? { from } : {}));
  return { ...FIRST, challenge: challenge ?? "", action: "send" };
}

describe("the first post", () => {
  test.each([
    ["/contact", { "accept-language": "tr" }, "tr"],
    ["/contact/", {}, "en"],
    ["/en/contact", { "accept-language": "tr" }, "en"],
    ["/tr/contact", {}, "tr"],
  ])(
    "to %s with %j shows what will be sent, kept by nobody, and stores nothing",
    async (url, headers, lang) => {
      const answer = await contact.postForm(FIRST, { url, headers });
      expect(answer.statusCode).toBe(200);
      expect(answer.headers).toMatchObject({ "cache-control": "no-store", "content-language": lang });
      expect(answer.headers.etag).toBeUndefined();
      expect(readDraft(answer)).toEqual({ ...TYPED, challenge: expect.stringMatching(/^confirm\./) });
      expect(await contact.takeStored()).toEqual([]);
    },
  );

  test("with faults gives the form back: 400, a message at each field, the text as it was typed", async () => {
    const typed = { name: " A ", email: "ada", subject: "", message: "Too short" };
    for (const [lang, errors] of [
      [
        "en",
        {
          name: "Name must be at least 2 characters",
          email: "Please enter a valid email address",
          subject: "Subject is required",
          message: "Message must be at least 10 characters",
        },
      ],
      [
        "tr",
        {
          name: "Ad en az 2 karakter olmalı",
          email: "Lütfen geçerli bir e-posta adresi girin",
          subject: "Konu gerekli",
          message: "Mesaj en az 10 karakter olmalı",
        },
      ],
    ] as const) {
      const answer = await contact.postForm(typed, { url: `/${lang}/contact` });
      expect(answer.statusCode).toBe(400);
      expect(answer.headers["cache-control"]).toBe("no-store");
      expect(readDraft(answer)).toEqual({ ...TYPED, values: typed, errors });
    }
  });

  test("with a filled trap is refused, and the text stays", async () => {
    const answer = await contact.postForm({ ...FIRST, website: "https://spam.test" });
    expect(answer.statusCode).toBe(400);
    expect(readDraft(answer)).toEqual({
      ...TYPED,
      error: expect.stringMatching(/^The message was not sent: a hidden field/),
    });
  });

  test("with texts of 50 kB gives back four times what a message may have, with its fault, and a small page", async () => {
    const answer = await contact.postForm({ ...FIRST, message: "&".repeat(15_000) });
    expect([answer.statusCode, readDraft(answer).values.message]).toEqual([400, "&".repeat(2_000)]);
    expect(readDraft(answer).errors.message).toMatch(/less than 500/);
    expect(answer.body.length).toBeLessThan(30_000);
  });

  test("is refused with 429 after thirty refused posts of its address, and the page keeps the text", async () => {
    const from = contact.takeAddress();
    for (let post = 0; post < 30; post += 1)
      expect((await contact.postForm({ ...FIRST, email: "ada" }, { from })).statusCode).toBe(400);
    const answer = await contact.postForm(FIRST, { from });
    expect([answer.statusCode, Number(answer.headers["retry-after"]) > 0]).toEqual([429, true]);
    expect(readDraft(answer)).toMatchObject({ values: MESSAGE, error: expect.stringMatching(/Too many/) });
    expect((await contact.post(MESSAGE, { from })).statusCode).toBe(429);
    contact.clock.now += 10 * 60_000;
    expect((await contact.postForm(FIRST, { from })).statusCode).toBe(200);
  });

  test("with the wish to change gives the form back without a word about faults", async () => {
    const typed = { ...MESSAGE, email: "ada" };
    const answer = await contact.postForm({ ...typed, challenge: "x", action: "change" });
    expect(answer.statusCode).toBe(200);
    expect(readDraft(answer)).toEqual({ ...TYPED, values: typed });
  });

  test.each([
    ["application/json", 415, JSON.stringify(MESSAGE)],
    ["multipart/form-data; boundary=x", 415, "--x--"],
    ["text/plain", 415, "name=Ada"],
    ["application/x-www-form-urlencoded", 400, "name=Ada&name=Bob&__proto__=x&message[]=y"],
    ["application/x-www-form-urlencoded", 400, "%"],
    ["application/x-www-form-urlencoded", 400, ""],
    ["application/x-www-form-urlencoded", 413, `message=${"x".repeat(65 * 1024)}`],
  ])("of %s → %d", async (type, status, payload) => {
    const answer = await contact.site.app.inject({
      method: "POST",
      url: "/contact",
      headers: { "content-type": type },
      payload,
    });
    expect(answer.statusCode).toBe(status);
    expect(answer.headers["content-type"]).toContain("text/html");
    expect(await contact.takeStored()).toEqual([]);
  });

  test("no other address reads forms", async () => {
    const answer = await contact.postForm(FIRST, { url: "/api/users/login/" });
    expect(answer.statusCode).toBe(415);
  });
});

describe("the confirmation", () => {
  test("stores the message once, however often the page is loaded again", async () => {
    const from = contact.takeAddress();
    const post = await askForConfirmation(from);
    contact.clock.now += CHALLENGE_WAIT_MS;
    for (let load = 0; load < 4; load += 1) {
      const answer = await contact.postForm(
        { ...post, message: post.message?.replaceAll("\n", "\r\n") ?? "" },
        { from, url: "/tr/contact" },
      );
      expect(answer.statusCode).toBe(200);
      expect(readDraft(answer)).toEqual({ ...TYPED, isSent: true });
      contact.clock.now += CHALLENGE_LIFETIME_MS;
    }
    expect(await contact.takeStored()).toEqual([{ ...MESSAGE, language: "tr" }]);
  });

  test("clicked twice at once stores once, and both say that it was sent", async () => {
    const from = contact.takeAddress();
    const posts = [await askForConfirmation(from), await askForConfirmation(from)];
    contact.clock.now += CHALLENGE_WAIT_MS;
    for (const post of posts) {
      const answers = await Promise.all([1, 2, 3].map(() => contact.postForm(post, { from })));
      for (const answer of answers) expect(readDraft(answer)).toMatchObject({ isSent: true });
    }
    expect(await contact.takeStored()).toHaveLength(2);
  });

  test("within three seconds is refused; the same page can be confirmed a moment later", async () => {
    const post = await askForConfirmation();
    contact.clock.now += CHALLENGE_WAIT_MS - 1;
    const answer = await contact.postForm(post);
    expect(answer.statusCode).toBe(400);
    expect(readDraft(answer)).toEqual({
      ...TYPED,
      challenge: post.challenge,
      error: "That was very quick. Please read your message once more, then send it.",
    });
    expect(await contact.takeStored()).toEqual([]);
    contact.clock.now += 1;
    expect(readDraft(await contact.postForm(post))).toMatchObject({ isSent: true });
  });

  test.each([
    ["after ten minutes", CHALLENGE_LIFETIME_MS + 1, {}, "expired"],
    [
      "forged",
      CHALLENGE_WAIT_MS,
      { challenge: `confirm.mabc.${"A".repeat(22)}.${"A".repeat(43)}` },
      "not valid",
    ],
  ])("%s is refused with a new one and the text", async (_how, ageMs, change, words) => {
    const post = { ...(await askForConfirmation()), ...change };
    contact.clock.now += ageMs;
    const answer = await contact.postForm(post);
    expect(answer.statusCode).toBe(400);
    const draft = readDraft(answer);
    expect(draft).toMatchObject({ values: MESSAGE, isSent: false, error: expect.stringContaining(words) });
    expect(draft.challenge).not.toBe(post.challenge);
    expect(await contact.takeStored()).toEqual([]);
    contact.clock.now += CHALLENGE_WAIT_MS;
    const next = await contact.postForm({ ...post, challenge: draft.challenge ?? "" });
    expect(readDraft(next)).toMatchObject({ isSent: true });
  });

  test("of another text with a used challenge is refused with a new one", async () => {
    const post = await askForConfirmation();
    contact.clock.now += CHALLENGE_WAIT_MS;
    await contact.postForm(post);
    const draft = readDraft(await contact.postForm({ ...post, subject: "Another subject" }));
    expect(draft).toMatchObject({ isSent: false, error: expect.stringContaining("used for another one") });
    expect(await contact.takeStored()).toHaveLength(1);
  });

  test("with text that was made wrong on the way back is refused at the field", async () => {
    const post = await askForConfirmation();
    contact.clock.now += CHALLENGE_WAIT_MS;
    const answer = await contact.postForm({ ...post, subject: "" });
    expect(answer.statusCode).toBe(400);
    expect(readDraft(answer)).toMatchObject({ challenge: null, errors: { subject: "Subject is required" } });
  });

  test("a third one within an hour is refused with the time to wait, and keeps text and challenge", async () => {
    const from = contact.takeAddress();
    const posts = [];
    for (let count = 0; count < 3; count += 1) posts.push(await askForConfirmation(from));
    contact.clock.now += CHALLENGE_WAIT_MS;
    const answers = [];
    for (const post of posts) answers.push(await contact.postForm(post, { from, url: "/tr/contact" }));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 429]);
    const refusal = answers[2] as LightMyRequestResponse; // the third of three
    expect(Number(refusal.headers["retry-after"])).toBeGreaterThan(3500);
    expect(readDraft(refusal)).toEqual({
      ...TYPED,
      challenge: posts[2]?.challenge,
      error: "Ağınızdan çok fazla mesaj geldi. Lütfen yaklaşık 60 dk sonra yeniden deneyin.",
    });
    expect(await contact.takeStored()).toHaveLength(2);
  });
});

describe("a challenge is good at one endpoint only", () => {
  test("a confirmation stores nothing at the API", async () => {
    const { challenge } = await askForConfirmation();
    contact.clock.now += CHALLENGE_WAIT_MS;
    const answer = await contact.post({ ...MESSAGE, challenge, solution: "" });
    expect(answer.json()).toMatchObject({ success: false, code: "contact_challenge_invalid" });
    expect(await contact.takeStored()).toEqual([]);
  });

  test("work confirms nothing on the page", async () => {
    const { challenge } = await contact.getProof();
    const answer = await contact.postForm({ ...FIRST, challenge, action: "send" });
    expect(readDraft(answer)).toMatchObject({ isSent: false, error: expect.stringContaining("not valid") });
    expect(await contact.takeStored()).toEqual([]);
  });
});

test("while no message can be stored, the page says so and keeps text and challenge", async () => {
  const { pool } = contact.site.database;
  const post = await askForConfirmation();
  contact.clock.now += CHALLENGE_WAIT_MS;
  await pool.query("ALTER TABLE contact_message RENAME TO contact_message_away");
  try {
    const answer = await contact.postForm(post);
    expect(answer.statusCode).toBe(500);
    expect(readDraft(answer)).toEqual({
      ...TYPED,
      challenge: post.challenge,
      error: "An error occurred. Please try again.",
    });
  } finally {
    await pool.query("ALTER TABLE contact_message_away RENAME TO contact_message");
  }
  expect(readDraft(await contact.postForm(post))).toMatchObject({ isSent: true });
});

test("while nothing at all can be read, there is still a page with the text", async () => {
  const { pool } = contact.site.database;
  const post = await askForConfirmation();
  contact.clock.now += CHALLENGE_WAIT_MS;
  await pool.query(
    "ALTER TABLE contact_message RENAME TO contact_message_away; ALTER TABLE cv_profile RENAME TO cv_profile_away",
  );
  try {
    const answer = await contact.postForm(post);
    expect(answer.statusCode).toBe(500);
    expect(answer.headers["content-type"]).toContain("text/html");
    expect(readDraft(answer)).toMatchObject({ values: MESSAGE, challenge: post.challenge, isSent: false });
  } finally {
    await pool.query(
      "ALTER TABLE contact_message_away RENAME TO contact_message; ALTER TABLE cv_profile_away RENAME TO cv_profile",
    );
  }
});

test("the page that everybody gets carries no challenge and is the same for all", async () => {
  const pages = await Promise.all([1, 2].map(() => contact.site.app.inject({ url: "/en/contact" })));
  for (const page of pages) expect(page.body).toContain('{"screen":"contact","draft":null}');
  expect(pages[0]?.headers.etag).toBe(pages[1]?.headers.etag);
});
