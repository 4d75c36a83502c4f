import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { type BulkSite, createBulkSite } from "./fixture.ts";

let all: BulkSite;
beforeAll(async () => {
  all = await createBulkSite([10]);
});
afterAll(() => all.site.close());

/** The same numbers in every run (Park and Miller). */
function createRandom(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}

type Random = ReturnType<typeof createRandom>;

function toWhere(random: Random, depth: number): object {
  if (depth > 0 && random(2) === 0) {
    const parts = Array.from({ length: 1 + random(3) }, () => toWhere(random, depth - 1));
    const shape = random(3);
    return shape === 0 ? { and: parts } : shape === 1 ? { or: parts } : { not: parts[0] };
  }
  const leaves = [
    { field: "views", operator: ["gt", "lte"][random(2)], value: random(200) },
    { field: "status", operator: "in", value: ["a", "b"].slice(random(2)) },
    { field: "title", operator: "contains", value: String(random(30)) },
    { field: "code", operator: "isnull", value: random(2) === 0 },
    { field: "id", operator: "range", value: [random(100), 100 + random(100)] },
  ];
  return leaves[random(leaves.length)] ?? {};
}

async function readItems(): Promise<unknown[]> {
  return all.query("SELECT id, title, status, views, code, is_locked FROM test_item ORDER BY id");
}

async function refill(): Promise<void> {
  await all.fill(200, {
    status: "(ARRAY['a', 'b', 'c'])[i % 3 + 1]",
    code: "CASE WHEN i % 4 = 0 THEN 'c' || i END",
    is_locked: "i % 17 = 0",
    is_secret: "i % 19 = 0",
  });
}

test("a bulk operation by query does what the same one does by the ids that a list of that query shows", async () => {
  const random = createRandom(5);
  for (let round = 0; round < 40; round++) {
    await refill();
    const where = toWhere(random, 3);
    const change =
      random(3) === 0
        ? { operation: "delete" }
        : { operation: "update", data: { status: "b", views: random(100) } };
    const list = `/api/admin/models/${all.contentTypeId}/objects/?page_size=200&where=${encodeURIComponent(JSON.stringify(where))}`;
    const { body } = await all.call(10, "GET", list);
    const object_ids = (body as { objects: { id: number }[] }).objects.map(({ id }) => id);
    const byQuery = await all.bulk(10, { ...change, query: { where } });
    expect(byQuery.status).toBe(200);
    const after = await readItems();
    if (object_ids.length === 0) {
      expect(byQuery.body.affected_count).toBe(0);
      continue;
    }
    await refill();
    const byIds = await all.bulk(10, { ...change, object_ids });
    expect({ where, ...byIds.body }).toEqual({ where, ...byQuery.body });
    expect(await readItems()).toEqual(after);
  }
});
