import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { insertAccount } from "./accounts/store.ts";
import { SYSTEM_ACTOR } from "./base/actor.ts";
import { printWelcome, runEach } from "./process.ts";
import { createSampleSite, type SampleSite } from "./sample/fixture.ts";
import { removeSample } from "./sample/service.ts";

describe("process", () => {
  test("a step that fails is reported by its name and keeps none of the others from being done", async () => {
    const done: string[] = [];
    const logged: unknown[] = [];
    await runEach(
      { error: (details: unknown) => void logged.push(details) },
      {
        first: async () => done.push("first"),
        broken: async () => {
          throw new Error("no room");
        },
        last: async () => done.push("last"),
      },
    );
    expect(done).toEqual(["first", "last"]);
    expect(logged).toEqual([{ err: new Error("no room"), step: "broken" }]);
  });
});

describe("welcome", () => {
  let site: SampleSite;
  beforeEach(async () => {
    site = await createSampleSite();
  });
  afterEach(() => site.database.close());

  async function readWelcome(mailFolder?: string): Promise<string> {
    const print = jest.spyOn(console, "log").mockImplementation(() => undefined);
    try {
      await printWelcome(
        { pool: site.database.pool, version: "18.4", isEmbedded: true },
        "http://127.0.0.1:3000",
        mailFolder,
        "the-token",
      );
      return print.mock.calls.flat().join("\n");
    } finally {
      print.mockRestore();
    }
  }

  test("a table that can't be read is said, and stops nothing", async () => {
    await site.database.pool.query("ALTER TABLE cv_profile RENAME TO damaged");
    const text = await readWelcome();
    expect(text).toContain("Foyer is ready: http://127.0.0.1:3000");
    expect(text).toMatch(/can't be read: .*cv_profile.*\n.*npm run foyer -- repair/);
  });

  test("while nobody owns the site it prints the link that makes the owner, and the command beside it", async () => {
    await site.start();
    const text = await readWelcome();
    expect(text).toContain("http://127.0.0.1:3000/setup#the-token\n");
    expect(text).toContain("npm run foyer -- create-superuser");
  });

  test("over sample content it names both ways to a CV of one's own", async () => {
    await site.start();
    const text = await readWelcome();
    expect(text).toContain("The CV is sample content");
    expect(text).toContain("npm run foyer -- import resume.json");
    expect(text).toContain("http://127.0.0.1:3000/admin");
    expect(text).toContain("npm run foyer -- sample remove");
  });

  test("without any CV it names the import alone", async () => {
    await site.start();
    await removeSample(site.database.pool, site.storage, SYSTEM_ACTOR);
    const text = await readWelcome();
    expect(text).toContain("Fill your CV from a JSON Resume file");
    expect(text).not.toContain("sample");
  });

  test("to an owner with a CV it says where the site is, and how to stop it", async () => {
    const { pool } = site.database;
    await pool.query("INSERT INTO cv_profile (name) VALUES ('Işıl')");
    await site.start();
    await insertAccount(pool, { username: "ada", email: "ada@example.org", passwordHash: "x", level: 999 });
    expect(await readWelcome()).toBe(`
Foyer is ready: http://127.0.0.1:3000   (its own PostgreSQL 18.4)
  Ctrl-C stops it.
`);
  });

  test("as long as mails are files it says where, and how to send them", async () => {
    await site.start();
    expect(await readWelcome()).not.toContain("SMTP_URL");
    const text = await readWelcome("/srv/foyer/data/mail");
    expect(text).toContain("they are files in /srv/foyer/data/mail\n");
    expect(text).toContain("set SMTP_URL, MAIL_FROM and PUBLIC_URL in .env");
    expect(text).toContain("npm run foyer -- mail test YOU@EXAMPLE.ORG");
  });
});
