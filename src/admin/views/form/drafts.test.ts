import { expect, test } from "@jest/globals";
import { createDrafts, type Draft } from "./drafts.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const NOW = 1_800_000_000_000;

function buildDraft(savedAt = NOW, typed = "typed"): Draft {
  return { savedAt, etag: '"one"', fields: { label: { control: "text", base: "", typed } } };
}

/** A storage of so many characters. */
function createStorage(room = Number.POSITIVE_INFINITY) {
  const items = new Map<string, string>();
  return {
    items,
    get length() {
      return items.size;
    },
    key: (at: number) => [...items.keys()][at] ?? null,
    getItem: (key: string) => items.get(key) ?? null,
    removeItem: (key: string) => void items.delete(key),
    setItem(key: string, value: string) {
      const others = [...items].filter(([name]) => name !== key).map(([, text]) => text.length);
      const used = others.reduce((sum, length) => sum + length, value.length);
      if (used > room) throw new DOMException("full", "QuotaExceededError");
      items.set(key, value);
    },
  };
}

const place = { userId: 1, resource: "models/7/objects", id: 4 } as const;

test("a draft comes back as it was kept, and not to another person, record or resource", () => {
  const drafts = createDrafts(
    () => createStorageOnce,
    () => NOW,
  );
  const createStorageOnce = createStorage();
  expect(drafts.write(place, buildDraft())).toBe(true);
  expect(drafts.read(place)).toEqual(buildDraft());
  expect(drafts.read({ ...place, userId: 2 })).toBeUndefined();
  expect(drafts.read({ ...place, id: "new" })).toBeUndefined();
  expect(drafts.read({ ...place, resource: "models/70/objects" })).toBeUndefined();
  drafts.remove(place);
  expect(drafts.read(place)).toBeUndefined();
});

test("two forms with one record keep a draft each, and the newest comes first", () => {
  const storage = createStorage();
  const drafts = createDrafts(
    () => storage,
    () => NOW,
  );
  const here = { ...buildDraft(NOW - 2, "here"), writer: "a" };
  const there = { ...buildDraft(NOW - 1, "there"), writer: "b" };
  drafts.write(place, here);
  drafts.write(place, there);
  drafts.write({ ...place, id: 42 }, buildDraft());
  expect(drafts.list(place)).toEqual([there, here]);
  drafts.remove(place, "b");
  expect(drafts.list(place)).toEqual([here]);
});

test("a draft of more than seven days is gone, whoever's it was", () => {
  const storage = createStorage();
  const drafts = createDrafts(
    () => storage,
    () => NOW,
  );
  drafts.write({ ...place, userId: 2 }, buildDraft(NOW - 8 * DAY_MS));
  drafts.write(place, buildDraft(NOW - 6 * DAY_MS));
  expect(drafts.read(place)).toBeDefined();
  expect(storage.items.size).toBe(1);
});

test("of more than fifty drafts the oldest go", () => {
  const storage = createStorage();
  const drafts = createDrafts(
    () => storage,
    () => NOW,
  );
  for (let id = 1; id <= 53; id += 1) drafts.write({ ...place, id }, buildDraft(NOW - 1000 + id));
  expect(storage.items.size).toBe(50);
  expect(drafts.read({ ...place, id: 3 })).toBeUndefined();
  expect(drafts.read({ ...place, id: 4 })).toBeDefined();
});

test("a full storage gives up old drafts for the new one, and says when that is not enough", () => {
  const storage = createStorage(1200);
  const drafts = createDrafts(
    () => storage,
    () => NOW,
  );
  for (let id = 1; id <= 20; id += 1) expect(drafts.write({ ...place, id }, buildDraft(NOW + id))).toBe(true);
  expect(drafts.read({ ...place, id: 20 })).toBeDefined();
  expect(drafts.read({ ...place, id: 1 })).toBeUndefined();
  expect(drafts.write(place, buildDraft(NOW, "x".repeat(2000)))).toBe(false);
});

test("what is no draft is none, and a browser that keeps nothing throws nothing", () => {
  const storage = createStorage();
  storage.setItem("foyer_draft:1:models/7/objects:4", '{"savedAt":');
  expect(createDrafts(() => storage).read(place)).toBeUndefined();
  const forbidden = createDrafts(() => {
    throw new DOMException("denied", "SecurityError");
  });
  expect(forbidden.read(place)).toBeUndefined();
  expect(forbidden.write(place, buildDraft())).toBe(false);
  forbidden.remove(place);
});
