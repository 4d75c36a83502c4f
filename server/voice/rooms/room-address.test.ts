import { expect, test } from "@jest/globals";
import { addSuffix, createPublicId, toSlug } from "./room-address.ts";

test.each([
  ["İstanbul Odası", "istanbul-odasi"],
  ["IŞIK ığüşöç ĞÜŞÖÇ", "isik-igusoc-gusoc"],
  ["  Tea & coffee!  ", "tea-coffee"],
  ["123", "room-123"],
  ["١٢٣", "room"],
  ["Чай", "room"],
  ["12-34", "12-34"],
  ["Straße", "strasse"],
  ["Über—alles", "uber-alles"],
  [`${"a".repeat(59)} b`, "a".repeat(59)],
])("the address of %s is %s", (name, slug) => {
  expect(toSlug(name)).toBe(slug);
});

test("an id is long, random, fits into a topic, and is never taken for a slug", () => {
  const ids = Array.from({ length: 500 }, createPublicId);
  expect(new Set(ids).size).toBe(500);
  for (const id of ids) expect(id).toMatch(/^(?![a-z0-9-]+$)[\w-]{24}$/);
});

test("what makes an address single is another one each time", () => {
  expect(addSuffix("tea")).toMatch(/^tea-.{5}$/);
  expect(new Set(Array.from({ length: 50 }, () => addSuffix("tea"))).size).toBeGreaterThan(45);
});
