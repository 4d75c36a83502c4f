import { createHash } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { LANGUAGES } from "#contract/languages.ts";
import { SYSTEM_ACTOR } from "#server/base/actor.ts";
import { withTransaction } from "#server/db/transaction.ts";
import { createFileService } from "#server/files/service.ts";
import { PAGE_FACTS } from "#server/models/declared/page-facts.ts";
import { applyFirstStart } from "./first-start.ts";
import { CV_TABLES, createSampleSite, MemoryStorage, type SampleSite } from "./fixture.ts";
import { FORMER_PRIVACY, renewPrivacy } from "./seed-pages.ts";
import { readShippedFile } from "./seed-sample.ts";
import { hasSampleRows } from "./service.ts";
import { CV_MODELS } from "./store.ts";

let site: SampleSite;
beforeEach(async () => {
  site = await createSampleSite();
});
afterEach(() => site.database.close());

const countCv = async () => {
  const counts = [];
  for (const table of CV_TABLES) counts.push(await site.count(table));
  return counts;
};

const ROW_OF: Readonly<Record<string, string>> = {
  cv_profile: "(name) VALUES ('Işıl')",
  cv_link: "(network) VALUES ('Blog')",
  cv_experience: `(company) VALUES ('{"en": "Ours", "tr": null}')`,
  cv_education: `(institution) VALUES ('{"en": "Ours", "tr": null}')`,
  cv_certificate: `(label) VALUES ('{"en": "Ours", "tr": null}')`,
  cv_skill: `(label) VALUES ('{"en": "Ours", "tr": null}')`,
  cv_project: `(name) VALUES ('{"en": "Ours", "tr": null}')`,
  cv_volunteer: `(organization) VALUES ('{"en": "Ours", "tr": null}')`,
  cv_award: `(title) VALUES ('{"en": "Ours", "tr": null}')`,
  cv_publication: `(name) VALUES ('{"en": "Ours", "tr": null}')`,
  cv_language: `(language) VALUES ('{"en": "Ours", "tr": null}')`,
  cv_interest: `(name) VALUES ('{"en": "Ours", "tr": null}')`,
  cv_reference: `(name) VALUES ('{"en": "Ours", "tr": null}')`,
};

test("a first start fills an empty CV, both pages of text and the settings", async () => {
  expect(await site.start()).toEqual({ rows: 40, files: 23 });
  expect(await countCv()).toEqual([1, 3, 4, 2, 15, 7, 1, 1, 1, 1, 2, 1, 1]);
  expect(await site.readColumn("SELECT slug FROM site_page ORDER BY slug")).toEqual(["privacy", "terms"]);
  expect(await site.readColumn("SELECT title FROM site_page ORDER BY slug")).toEqual([
    { en: "Privacy", tr: "Gizlilik" },
    { en: "Terms of use", tr: "Kullanım koşulları" },
  ]);
  expect(await site.readColumn("SELECT shows_voice_chat FROM site_settings")).toEqual([true]);
  expect(await site.readColumn("SELECT map_search_url FROM site_settings")).toEqual([
    "https://www.openstreetmap.org/search?query=",
  ]);
});

test("only the CV is marked as sample content", async () => {
  await site.start();
  const { pool } = site.database;
  expect(await hasSampleRows(pool, ["cv.certificate"])).toBe(true);
  expect(await hasSampleRows(pool, ["site.page", "site.settings", "contact.message"])).toBe(false);
});

test("each row and file has its audit entry by the system", async () => {
  await site.start();
  const entries = await site.readColumn(
    `SELECT model_name || ' ' || action_type || ' ' || detail || ' ' || count(*) FROM audit_entry
     JOIN content_type c ON c.id = content_type_id WHERE user_id IS NULL GROUP BY model_name, action_type, detail ORDER BY 1`,
  );
  expect(entries).toEqual([
    "award CREATE sample 1",
    "certificate CREATE sample 15",
    "education CREATE sample 2",
    "experience CREATE sample 4",
    "interest CREATE sample 1",
    "language CREATE sample 2",
    "link CREATE sample 3",
    "page CREATE first_start 2",
    "profile CREATE sample 1",
    "project CREATE sample 1",
    "publication CREATE sample 1",
    "reference CREATE sample 1",
    "settings CREATE first_start 1",
    "skill CREATE sample 7",
    "stored_file CREATE sample 23",
    "volunteer CREATE sample 1",
  ]);
  const [photo] = await site.readColumn(
    "SELECT changes -> 'photo' ->> 'after' FROM audit_entry WHERE object_repr = 'Ada Taslakoğlu'",
  );
  expect(photo).toMatch(/^\/files\/[0-9a-f]{32}\.jpg$/);
});

test("every process is notified which models changed", async () => {
  expect(await site.receive(site.start)).toEqual([
    "audit.entry",
    ...[...CV_MODELS].sort(),
    "files.stored_file",
    "site.page",
    "site.settings",
  ]);
});

test("files are stored as uploads are", async () => {
  await site.start();
  expect([...site.storage.files.keys()].sort()).toEqual(
    await site.readColumn('SELECT key FROM stored_file ORDER BY key COLLATE "C"'),
  );
  const service = createFileService(
    site.database.pool,
    {
      ...site.storage,
      put: async () => undefined,
      open: async () => undefined,
      stat: async () => ({ byteSize: 1 }),
      delete: async () => undefined,
      async *list() {},
    },
    () => null,
  );
  for (const name of ["keeper-of-indexes.pdf", "semicolons.svg", "on-call.jpg", "paper-bridges.png"]) {
    const { key, mediaType, content } = await readShippedFile(name);
    const answer = await service.store(content, name, [mediaType], SYSTEM_ACTOR);
    expect(answer).toMatchObject({ url: `/files/${key}`, media_type: mediaType });
  }
  expect(await site.count("stored_file")).toBe(23);
});

test("a second start puts nothing in and asks the database once", async () => {
  await site.start();
  let statements = 0;
  const { pool } = site.database;
  pool.on("acquire", () => statements++);
  expect(await site.start()).toBeUndefined();
  expect(statements).toBe(1);
  expect(await countCv()).toEqual([1, 3, 4, 2, 15, 7, 1, 1, 1, 1, 2, 1, 1]);
});

test("a page that the owner emptied and settings that he changed stay so", async () => {
  await site.start();
  await site.database.pool.query(
    "DELETE FROM site_page WHERE slug = 'terms'; UPDATE site_settings SET author = 'Işıl'",
  );
  await site.start();
  expect(await site.readColumn("SELECT slug FROM site_page")).toEqual(["privacy"]);
  expect(await site.readColumn("SELECT author FROM site_settings")).toEqual(["Işıl"]);
});

describe("over content of the owner's", () => {
  test.each(CV_TABLES)("a row in %s alone keeps the sample away, now and later", async (table) => {
    await site.database.pool.query(`INSERT INTO ${table} ${ROW_OF[table]}`);
    expect(await site.start()).toEqual({ rows: 0, files: 0 });
    expect(await countCv()).toEqual(CV_TABLES.map((name) => (name === table ? 1 : 0)));
    expect(await site.count("site_page")).toBe(2);
    await site.database.pool.query(`DELETE FROM ${table}`);
    expect(await site.start()).toBeUndefined();
    expect(await countCv()).toEqual(CV_TABLES.map(() => 0));
    expect(await site.count("stored_file")).toBe(0);
    expect(site.storage.files.size).toBe(0);
  });

  test("a page of text and settings from before stay as they are", async () => {
    await site.database.pool.query(`
      INSERT INTO site_page (slug, title, body) VALUES ('terms', '{"en": "Ours"}', '{"en": "Be kind."}');
      INSERT INTO site_settings (author) VALUES ('Işıl')`);
    await site.start();
    expect(await site.readColumn("SELECT body ->> 'en' FROM site_page WHERE slug = 'terms'")).toEqual([
      "Be kind.",
    ]);
    expect(await site.readColumn("SELECT author FROM site_settings")).toEqual(["Işıl"]);
    expect(await site.count("site_page")).toBe(2);
  });
});

test("of two processes that start at once one puts the content in, and both find it there", async () => {
  const both = await Promise.all([site.start(), site.start()]);
  expect(both.filter((filled) => filled !== undefined)).toEqual([{ rows: 40, files: 23 }]);
  expect(await countCv()).toEqual([1, 3, 4, 2, 15, 7, 1, 1, 1, 1, 2, 1, 1]);
  expect(await site.count("sample_row")).toBe(40 + 23);
});

describe("after a failure in the middle", () => {
  test("a full disk leaves nothing behind in the database, and the next start does it all", async () => {
    let written = 0;
    const full = {
      put: async () => {
        if (++written > 10) throw new Error("no space left");
      },
    };
    await expect(applyFirstStart(site.database.pool, full)).rejects.toThrow("no space left");
    for (const table of [...CV_TABLES, "stored_file", "sample_row", "site_seed", "site_page", "audit_entry"])
      expect(`${table} ${await site.count(table)}`).toBe(`${table} 0`);
    expect(await site.start()).toEqual({ rows: 40, files: 23 });
  });

  test("so does a connection that breaks", async () => {
    const storage = new MemoryStorage();
    const cutting = {
      put: async () => {
        await site.database.pool.query(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND state = 'idle in transaction'",
        );
      },
    };
    await expect(applyFirstStart(site.database.pool, cutting)).rejects.toThrow();
    expect(await site.count("site_seed")).toBe(0);
    expect(await applyFirstStart(site.database.pool, storage)).toEqual({ rows: 40, files: 23 });
    expect(storage.files.size).toBe(23);
  });
});

describe("a privacy notice that came with an earlier version", () => {
  const FORMER = "\nLog: these entries are kept.\n";
  const HASH = createHash("sha256").update(FORMER.trim()).digest("hex").slice(0, 16);
  const readBody = async () =>
    (await site.readColumn("SELECT body FROM site_page WHERE slug = 'privacy'"))[0] as Record<string, string>;
  const write = (body: object) =>
    site.database.pool.query("UPDATE site_page SET body = $1 WHERE slug = 'privacy'", [body]);
  const former = { en: new Set([HASH]), tr: new Set([HASH]) };

  test("is renewed where nobody edited it, each language by itself, with an entry in the log", async () => {
    await site.start();
    await write({ en: FORMER, tr: "Benim sözlerim." });
    await withTransaction(site.database.pool, (db) => renewPrivacy(db, former));
    const body = await readBody();
    expect(body.en).toContain("older than {audit_retention}");
    expect(body.tr).toBe("Benim sözlerim.");
    expect(
      await site.readColumn(
        "SELECT changes -> 'body' -> 'before' ->> 'en' FROM audit_entry WHERE action_type = 'UPDATE'",
      ),
    ).toEqual([FORMER]);
  });

  test("stays where somebody wrote into it", async () => {
    await site.start();
    await write({ en: `${FORMER} And more.`, tr: "" });
    await withTransaction(site.database.pool, (db) => renewPrivacy(db, former));
    expect(await readBody()).toEqual({ en: `${FORMER} And more.`, tr: "" });
  });

  test("is looked for once in the life of a database, also by a site that was there before", async () => {
    await site.start();
    await site.database.pool.query("DELETE FROM site_seed WHERE name LIKE 'privacy-%'");
    expect(await site.start()).toBeUndefined();
    expect(await site.readColumn("SELECT name FROM site_seed ORDER BY name")).toEqual([
      "pages",
      "privacy-cookies",
      "privacy-facts",
      "privacy-log",
      "sample",
    ]);
  });
});

test("the notice of today is not among the former ones, and states no time of its own", async () => {
  await site.start();
  const [body] = (await site.readColumn("SELECT body FROM site_page WHERE slug = 'privacy'")) as Record<
    string,
    string
  >[];
  for (const lang of LANGUAGES) {
    const text = body?.[lang] ?? "";
    const hash = createHash("sha256").update(text.trim()).digest("hex").slice(0, 16);
    expect(FORMER_PRIVACY[lang].has(hash)).toBe(false);
    expect(text).not.toMatch(/\d+ (minutes|hours|days|months|dakika|saat|gün|ay)/);
    const used = [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect(Object.keys(PAGE_FACTS)).toEqual(expect.arrayContaining(used));
    expect(new Set(used).size).toBeGreaterThan(11);
  }
});
