import { ACCESS_LEVEL } from "#contract/accounts/accounts.ts";
import type { QueryFilter } from "#contract/content/models.ts";
import type { QuickFilter } from "./record-source.ts";

const staff = (value: "true" | "false"): QueryFilter => ({ field: "is_staff", operator: "exact", value });

const level = (operator: QueryFilter["operator"], value: number): QueryFilter => ({
  field: "access_level",
  operator,
  value: String(value),
});

/** The documented filters (specification B section 5): Active means that `is_staff` is true. */
export const USER_FILTERS: readonly QuickFilter[] = [
  {
    labelKey: "users.fields.status",
    options: [
      { labelKey: "users.status.active", filters: [staff("true")] },
      { labelKey: "users.status.inactive", filters: [staff("false")] },
    ],
  },
  {
    labelKey: "users.fields.accessLevel",
    options: [
      { labelKey: "users.levels.superuser", filters: [level("exact", ACCESS_LEVEL.superuser)] },
      {
        labelKey: "users.levels.admin",
        filters: [level("gte", ACCESS_LEVEL.admin), level("lt", ACCESS_LEVEL.superuser)],
      },
      {
        labelKey: "users.levels.user",
        filters: [level("gte", ACCESS_LEVEL.user), level("lt", ACCESS_LEVEL.admin)],
      },
      { labelKey: "users.levels.guest", filters: [level("exact", ACCESS_LEVEL.guest)] },
    ],
  },
];
