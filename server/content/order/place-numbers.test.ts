import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { type ContentSite, openContentSite } from "../fixture.ts";

const AT_ONCE = 12;

let content: ContentSite;
beforeAll(async () => {
  content = await openContentSite([], "");
});
afterAll(() => content.site.close());
beforeEach(async () => {
  await content.site.database.pool.query("DELETE FROM cv_certificate");
});

const LABELS = Array.from({ length: AT_ONCE }, (_, index) => `Certificate ${index}`);
const PLACES = LABELS.map((_, index) => index + 1);

const create = (label: string) =>
  content.call("POST", content.objects("certificate"), { body: { label: { en: label, tr: null } } });

async function readPlaces(): Promise<number[]> {
  const { rows } = await content.site.database.pool.query<{ position: number }>(
    "SELECT position FROM cv_certificate ORDER BY position",
  );
  return rows.map(({ position }) => position);
}

test("rows that are made at once get numbers of their own, one behind the other", async () => {
  const answers = await Promise.all(LABELS.map(create));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
  expect(answers.map(({ body }) => body.position).sort((a, b) => a - b)).toEqual(PLACES);
  expect(await readPlaces()).toEqual(PLACES);
});

test("a row that is made while others are moved stands alone at its number", async () => {
  const made = await Promise.all(LABELS.slice(0, 4).map(create));
  const [first] = made.toSorted((a, b) => a.body.position - b.body.position);
  const moves = [1, 2, 3].map(() =>
    content.call("POST", content.objects("certificate", `${first?.body.id}/move/`), {
      body: { before: null },
    }),
  );
  await Promise.all([...moves, ...LABELS.slice(4).map(create)]);
  const places = await readPlaces();
  expect(new Set(places).size).toBe(AT_ONCE);
});

test("rows that one bulk operation sends to the end get numbers of their own", async () => {
  const made = await Promise.all(LABELS.map(create));
  const body = {
    operation: "update",
    object_ids: made.map(({ body: { id } }) => id),
    data: { position: null },
  };
  const { status } = await content.call("POST", content.objects("certificate", "bulk/"), { body });
  expect(status).toBe(200);
  expect(await readPlaces()).toEqual(PLACES.map((place) => place + AT_ONCE));
});
