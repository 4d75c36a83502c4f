import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { SYSTEM_ACTOR } from "#server/base/actor.ts";
import { CV_TABLES, createSampleSite, type SampleSite } from "./fixture.ts";
import { hasSampleRows, type RemovedModel, removeSample } from "./service.ts";
import { CV_MODELS } from "./store.ts";

let site: SampleSite;
beforeEach(async () => {
  site = await createSampleSite();
  await site.start();
});
afterEach(() => site.database.close());

const remove = () => removeSample(site.database.pool, site.storage, SYSTEM_ACTOR);
const countRemoved = (outcomes: readonly RemovedModel[]) =>
  outcomes.map(({ key, removed }) => `${key} ${removed.length}`);
const hasSample = () => hasSampleRows(site.database.pool, CV_MODELS);
/** As every edit does. */
const edit = (table: string, change: string) =>
  site.database.pool.query(
    `UPDATE ${table} SET ${change}, updated_at = clock_timestamp() WHERE id = (SELECT min(id) FROM ${table})`,
  );

test("everything that nobody edited goes: rows, files and their bytes", async () => {
  expect(countRemoved(await remove())).toEqual([
    "cv.profile 1",
    "cv.link 3",
    "cv.experience 4",
    "cv.education 2",
    "cv.certificate 15",
    "cv.skill 7",
    "cv.project 1",
    "cv.volunteer 1",
    "cv.award 1",
    "cv.publication 1",
    "cv.language 2",
    "cv.interest 1",
    "cv.reference 1",
    "files.stored_file 23",
  ]);
  for (const table of [...CV_TABLES, "stored_file", "sample_row"])
    expect(`${table} ${await site.count(table)}`).toBe(`${table} 0`);
  expect(site.storage.files.size).toBe(0);
  expect(await hasSample()).toBe(false);
});

test("pages of text and settings stay", async () => {
  await remove();
  expect(await site.count("site_page")).toBe(2);
  expect(await site.count("site_settings")).toBe(1);
});

test("each removal has its audit entry with what the row held", async () => {
  await remove();
  expect(await site.readColumn("SELECT count(*) FROM audit_entry WHERE action_type = 'DELETE'")).toEqual([
    "63",
  ]);
  const [changes] = await site.readColumn(
    "SELECT changes FROM audit_entry WHERE action_type = 'DELETE' AND object_repr = 'On Call Without Tears'",
  );
  expect(changes).toMatchObject({
    label: { before: { en: "On Call Without Tears", tr: "Gözyaşsız Nöbet" } },
    file: { before: expect.stringMatching(/^\/files\/[0-9a-f]{32}\.jpg$/) },
  });
});

test("every process is notified which models changed", async () => {
  expect(await site.receive(remove)).toEqual(["audit.entry", ...[...CV_MODELS].sort(), "files.stored_file"]);
  expect(await site.receive(remove)).toEqual([]);
});

test("a start afterwards doesn't bring it back", async () => {
  await remove();
  expect(await site.start()).toBeUndefined();
  expect(await site.count("cv_certificate")).toBe(0);
});

test("a second time nothing is left, edited rows included", async () => {
  await edit("cv_link", "username = 'mine'");
  await remove();
  const again = await remove();
  expect(again.every(({ removed, kept }) => removed.length + kept.length === 0)).toBe(true);
  expect(await site.count("cv_link")).toBe(1);
});

describe("what the owner edited", () => {
  test("stays, and is named; the rest goes", async () => {
    await edit("cv_experience", `role = '{"en": "CTO", "tr": "CTO"}'`);
    await edit("cv_profile", "name = 'Işıl Örnek'");
    const outcomes = await remove();
    const kept = outcomes.flatMap(({ label, kept: titles }) =>
      titles.map(({ title }) => `${label}: ${title}`),
    );
    expect(kept).toEqual(["CV profile: Işıl Örnek", "Experience: The Unhurried Queue Company"]);
    expect(await site.readColumn("SELECT role ->> 'en' FROM cv_experience")).toEqual(["CTO"]);
  });

  test("keeps its file until nothing names it", async () => {
    await edit("cv_certificate", "is_hidden = true");
    await edit("cv_profile", "name = 'Işıl'");
    expect((await remove()).at(-1)?.removed).toHaveLength(21);
    expect(site.storage.files.size).toBe(2);
    await edit("cv_profile", "photo = NULL");
    expect((await remove()).at(-1)?.removed).toEqual(["portrait.jpg"]);
    expect(site.storage.files.size).toBe(1);
  });

  test("keeps a file that a page of text names", async () => {
    const [key] = await site.readColumn("SELECT key FROM stored_file WHERE name = 'time-zones.pdf'");
    await site.database.pool.query("UPDATE site_page SET body = jsonb_build_object('en', $1::text)", [
      `See [it](/files/${key}).`,
    ]);
    await remove();
    expect(await site.readColumn("SELECT name FROM stored_file")).toEqual(["time-zones.pdf"]);
  });

  test("is no sample content any more, while the rest still is", async () => {
    for (const table of CV_TABLES) {
      expect(await hasSample()).toBe(true);
      await site.database.pool.query(`UPDATE ${table} SET updated_at = clock_timestamp()`);
    }
    expect(await hasSample()).toBe(false);
  });
});

test("what the owner added or deleted himself is left at that", async () => {
  await site.database.pool.query(
    `DELETE FROM cv_education; INSERT INTO cv_link (network, url) VALUES ('Blog', 'https://example.org')`,
  );
  await site.database.pool.query(
    "INSERT INTO stored_file (key, name, media_type, byte_size) VALUES ('x.png', 'x.png', 'image/png', 1)",
  );
  const outcomes = await remove();
  expect(countRemoved(outcomes)).toContain("cv.education 0");
  expect(await site.readColumn("SELECT network FROM cv_link")).toEqual(["Blog"]);
  expect(await site.readColumn("SELECT key FROM stored_file")).toEqual(["x.png"]);
});

test("a file that was uploaded before the sample came isn't the sample's", async () => {
  const other = await createSampleSite();
  try {
    const [key] = await site.readColumn("SELECT key FROM stored_file WHERE name = 'portrait.jpg'");
    await other.database.pool.query(
      "INSERT INTO stored_file (key, name, media_type, byte_size) VALUES ($1, 'me.jpg', 'image/jpeg', 1)",
      [key],
    );
    await other.start();
    await removeSample(other.database.pool, other.storage, SYSTEM_ACTOR);
    expect(await other.readColumn("SELECT name FROM stored_file")).toEqual(["me.jpg"]);
    expect([...other.storage.files.keys()]).toEqual([key]);
  } finally {
    await other.database.close();
  }
});
