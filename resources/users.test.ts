import { expect, test } from "@jest/globals";
import { buildUsersSource, USER_FILTERS } from "./users.ts";

test("the filters of the users' list are the documented ones, and those of whoever waits", () => {
  const filters = USER_FILTERS.flatMap(({ options }) => options).map((option) =>
    option.filters.map(({ field, operator, value }) => `${field} ${operator} ${value}`).join(", "),
  );
  expect(filters).toEqual([
    "is_staff exact true",
    "is_staff exact false",
    "access_level exact 999",
    "access_level gte 10, access_level lt 999",
    "access_level gte 1, access_level lt 10",
    "access_level exact 0",
    "admission exact waiting",
    "admission exact refused",
  ]);
});

test.each([
  [10, 2, 10, false, []],
  [10, 2, 500, false, []],
  [10, 1, 10, true, ["is_active"]],
  [10, 2, 5, true, []],
  [999, 2, 999, true, ["email", "is_email_verified"]],
] as const)(
  "who has level %d sees number %d of level %d: changing is %s, closed are %j",
  (accessLevel, id, level, canUpdate, closed) => {
    const source = buildUsersSource({
      t: ((key: string) => key) as never, // texts are not looked at
      permissions: { view: true, create: true, update: true, delete: true },
      own: { id: 1, accessLevel },
      contentTypeId: 7,
      levels: [],
    });
    const user = {
      id,
      username: "ada",
      email: "ada@example.org",
      first_name: "",
      last_name: "",
      date_joined: "2026-01-01T00:00:00Z",
      is_staff: true,
      is_superuser: false,
      access_level: level,
      access_level_name: "x",
      is_email_verified: true,
    };
    const shown = source.ofRecord?.({ ...user, repr: "ada" } as never);
    expect(shown?.permissions.update).toBe(canUpdate);
    const names = shown?.fields.filter(({ read_only }) => read_only).map(({ name }) => name) ?? [];
    expect(names.filter((name) => name !== "date_joined" && name !== "last_login")).toEqual(closed);
  },
);
