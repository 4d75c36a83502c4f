import type { TFunction } from "i18next";
import { toLiveTopic } from "#contract/live.ts";
import { objectsResource } from "./objects.ts";
import type { FieldNames, RecordPaths, RecordSource } from "./record-source.ts";
import { buildUserFields } from "./user-fields.ts";
import { USER_FILTERS } from "./user-filters.ts";
import { type LevelChoice, type Own, toChoices, toUserSource } from "./user-record.ts";

export const usersResource = {
  name: "users",
  list: "/admin/users",
  meta: { labelKey: "nav.users", icon: "users" },
} as const;

/** The content model behind the documented user doors. */
export const USER_MODEL = "accounts.user";

/** The documented fields that the content model calls otherwise. */
export const USER_MODEL_NAMES: FieldNames = { date_joined: "created_at", last_login: "last_login_at" };

/** Where users are changed in bulk: by their content model. */
const USERS_BULK_PATH = `${usersResource.list}/bulk`;

const one = (id: number) => `${usersResource.list}/${id}`;

function buildPaths(hasModel: boolean): RecordPaths {
  return {
    list: usersResource.list,
    create: `${usersResource.list}/new`,
    edit: one,
    view: (id) => `${one(id)}/view`,
    bulk: hasModel ? USERS_BULK_PATH : null,
  };
}

export interface UsersSourceParts {
  t: TFunction;
  /** What the signed-in person may do with users. */
  permissions: RecordSource["permissions"];
  /** Who is signed in. */
  own: Own;
  /** Number of the content model; undefined while it isn't known, or where there is none. */
  contentTypeId: number | undefined;
  /** Every level, as far as it is known. */
  levels: readonly LevelChoice[];
}

/** Users of the documented doors (specification B sections 2, 3 and 9) as the generic views see them. */
export function buildUsersSource({
  t,
  permissions,
  own,
  contentTypeId,
  levels,
}: UsersSourceParts): RecordSource {
  const [app_label = "", model_name = ""] = USER_MODEL.split(".");
  const source: RecordSource = {
    content_type_id: contentTypeId ?? 0,
    app_label,
    model_name,
    verbose_name: t("users.one"),
    verbose_name_plural: t("users.title"),
    description: t("users.intro"),
    count: 0,
    count_is_estimate: false,
    has_timestamps: false,
    is_singleton: false,
    is_large: false,
    list_columns: ["username", "email", "date_joined", "is_staff", "access_level", "is_email_verified"],
    is_searchable: true,
    order_field: null,
    hidden_field: null,
    default_sort: [{ field: "date_joined", direction: "desc" }],
    site_path: null,
    permissions,
    fields: buildUserFields(t, toChoices(levels)),
    resource: usersResource.name,
    exportResource: contentTypeId === undefined ? null : objectsResource(contentTypeId),
    exportNames: USER_MODEL_NAMES,
    paths: buildPaths(contentTypeId !== undefined && (permissions.update || permissions.delete)),
    topic: toLiveTopic(USER_MODEL),
    quickFilters: USER_FILTERS,
    // An account belongs to one person.
    hasCopies: false,
    defaults: { access_level: 1, is_active: true },
    texts: {
      none: t("users.none"),
      loadFailed: t("users.failed.load"),
      createFailed: t("users.failed.create"),
      updateFailed: t("users.failed.update"),
      deleteFailed: t("users.failed.delete"),
      deleteText: t("users.deleteText"),
      create: t("users.create"),
    },
  };
  return { ...source, ofRecord: (record) => toUserSource(source, record, { t, own, levels }) };
}
