import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { createTestApp, type TestApp } from "#test/app.ts";

const NEWEST = "20261120T220305Z-10.eml";
const OLDER = "20261120T220305Z-9.eml";
const OLDEST = "20251120T220305Z-11.eml";

const toMail = (subject: string, more = "") =>
  [
    "From: Foyer <foyer@localhost>",
    "To: isil@foyer.example",
    `Subject: ${subject}`,
    "Date: Fri, 20 Nov 2026 22:03:05 +0000",
    `${more}Content-Type: multipart/alternative; boundary=b`,
    "",
    "--b\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nMerhaba Işıl\r\n",
    "--b\r\nContent-Type: text/html; charset=utf-8\r\n\r\n<p>Merhaba <b>Işıl</b></p>\r\n--b--",
  ].join("\r\n");

let site: TestApp;
let folder: string;
let owner: string;
beforeAll(async () => {
  site = await createTestApp({ isDevelopment: true });
  folder = join(site.dataDir, "mail");
  owner = (await site.signInAs(999)).authorization;
});
afterAll(() => site.close());

const get = (path = "", authorization: string | null = owner) =>
  site.app.inject({
    url: `/api/mail/mailbox/${path}`,
    headers: { "accept-language": "en", ...(authorization && { authorization }) },
  });

test("before the first mail there is nothing, and nothing is wrong", async () => {
  const answer = await get();
  expect(answer.statusCode).toBe(200);
  expect(answer.json()).toEqual({ mails: [] });
});

describe("with mails", () => {
  beforeAll(async () => {
    await mkdir(folder);
    await writeFile(join(folder, OLDEST), "Subject: \r\n\r\nNothing else");
    await writeFile(join(folder, OLDER), toMail("Older"));
    await writeFile(
      join(folder, NEWEST),
      toMail("=?utf-8?B?WWVuaSBnaXJpxZ8=?=", "X-Twice: 1\r\nX-Twice: 2\r\n"),
    );
    await writeFile(join(folder, `${NEWEST}.0a1b2c3d.part`), "a draft");
    await writeFile(join(folder, "notes.txt"), "not a mail");
    await writeFile(join(site.dataDir, "20261120T220305Z-1.eml"), toMail("Outside"));
    await symlink(join(folder, "nowhere"), join(folder, "20261120T220305Z-8.eml"));
  });
  afterAll(() => rm(folder, { recursive: true }));

  test("the newest is first, and only mails are listed", async () => {
    const answer = await get();
    expect(answer.headers["cache-control"]).toBe("no-store");
    expect(answer.json()).toEqual({
      mails: [
        { file: NEWEST, date: "2026-11-20T22:03:05.000Z", to: "isil@foyer.example", subject: "Yeni giriş" },
        { file: OLDER, date: "2026-11-20T22:03:05.000Z", to: "isil@foyer.example", subject: "Older" },
        { file: OLDEST, date: "2025-11-20T22:03:05.000Z", to: "", subject: "" },
      ],
    });
  });

  test("one is read whole, with every header", async () => {
    const mail = (await get(`${NEWEST}/`)).json();
    expect(mail).toMatchObject({
      file: NEWEST,
      from: "Foyer <foyer@localhost>",
      subject: "Yeni giriş",
      text: expect.stringContaining("Merhaba Işıl"),
      html: expect.stringContaining("<b>Işıl</b>"),
    });
    const twice = mail.headers.filter(({ name }: { name: string }) => name === "X-Twice");
    expect(twice.map(({ value }: { value: string }) => value).sort()).toEqual(["1", "2"]);
    expect((await get(`${OLDEST}/`)).json()).toMatchObject({
      text: expect.stringContaining("else"),
      html: null,
    });
  });

  test("at most 200 are listed", async () => {
    const many = Array.from({ length: 205 }, (_, index) => `20270101T000000Z-${index + 1}.eml`);
    await Promise.all(many.map((name) => writeFile(join(folder, name), toMail(name))));
    const { mails } = (await get()).json();
    expect(mails).toHaveLength(200);
    expect(mails[0].file).toBe("20270101T000000Z-205.eml");
    await Promise.all(many.map((name) => rm(join(folder, name))));
  });

  test.each([
    "notes.txt",
    `${NEWEST}.0a1b2c3d.part`,
    "../20261120T220305Z-1.eml",
    "..%2F20261120T220305Z-1.eml",
    "%2e%2e/20261120T220305Z-1.eml",
    "..%5C20261120T220305Z-1.eml",
    `${NEWEST}%00`,
    `x%0A${NEWEST}`,
    "%2Fetc%2Fpasswd",
    "20261120T220305Z-7.eml",
    "20261120T220305Z-8.eml",
    "20261120t220305z-9.EML",
  ])("%s is no mail: 404", async (name) => {
    const answer = await get(`${name}/`);
    expect(answer.statusCode).toBe(404);
    expect(answer.body).not.toMatch(/passwd|root:|not a mail|Outside/);
  });
});

describe("nobody but the owner reads them", () => {
  test("a guest is asked to log in, an admin is refused", async () => {
    const admin = (await site.signInAs(10)).authorization;
    for (const path of ["", `${NEWEST}/`]) {
      expect((await get(path, null)).statusCode).toBe(401);
      expect((await get(path, admin)).statusCode).toBe(403);
    }
  });

  test("outside of development there is no such address, not even for the owner", async () => {
    const production = await createTestApp();
    try {
      const { authorization } = await production.signInAs(999);
      await mkdir(join(production.dataDir, "mail"));
      await writeFile(join(production.dataDir, "mail", NEWEST), toMail("Secret"));
      for (const path of ["", `${NEWEST}/`]) {
        const answer = await production.app.inject({
          url: `/api/mail/mailbox/${path}`,
          headers: { authorization },
        });
        expect([answer.statusCode, answer.json().code]).toEqual([404, "not_found"]);
      }
    } finally {
      await production.close();
    }
  });
});
