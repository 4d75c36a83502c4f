import { expect, test } from "@jest/globals";
import { toInitials } from "../ui/person.tsx";
import { toModelSearch } from "./users-bulk.tsx";

test.each([
  ["?sort=-date_joined&page_size=50", "sort=-created_at&page_size=50"],
  ["?filter=last_login:gte:2026-01-01T00:00:00Z", "filter=last_login_at%3Agte%3A2026-01-01T00%3A00%3A00Z"],
  ["?filter=is_staff:exact:true&search=a:b", "filter=is_staff%3Aexact%3Atrue&search=a%3Ab"],
  [
    `?any=${encodeURIComponent('[["date_joined:gte:2026"],["email:exact:a"]]')}`,
    `any=${encodeURIComponent('[["created_at:gte:2026"],["email:exact:a"]]')}`,
  ],
  ["?columns=username,date_joined", "columns=username%2Ccreated_at"],
  ["", ""],
])("%s in the names of the content model", (search, expected) => {
  expect(toModelSearch(search)).toBe(expected);
});

test.each([
  ["Ada Lovelace", "en", "AL"],
  ["ışıl ince", "tr", "Iİ"],
  ["person_4", "en", "P4"],
  ["owner", "en", "O"],
  ["", "en", ""],
])("initials of %j in %s", (name, lang, expected) => {
  expect(toInitials(name, lang)).toBe(expected);
});
