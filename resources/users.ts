import type { TFunction } from "i18next";
import { ACCESS_LEVEL } from "#contract/accounts/accounts.ts";
import { ADMISSIONS, type Admission } from "#contract/accounts/admin-users.ts";
import type { FieldInfo, QueryFilter } from "#contract/content/models.ts";
import { toLiveTopic } from "#contract/content/objects.ts";
import { LIMITS } from "#contract/limits.ts";
import { buildField, OPERATORS_OF } from "./field.ts";
import {
  type FieldNames,
  objectsResource,
  type QuickFilter,
  type RecordPaths,
  type RecordSource,
} from "./record-source.ts";
import { type LevelChoice, type Own, toChoices, toUserSource } from "./user-record.ts";

export const usersResource = {
  name: "users",
  list: "/admin/users",
  meta: { labelKey: "nav.users", icon: "users", goTo: "u", order: 200 },
} as const;

/** The content model behind the documented user endpoints. */
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

export interface UsersSourceDeps {
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

/** Users of the documented endpoints (specification B sections 2, 3 and 9) as the generic views see them. */
export function buildUsersSource({
  t,
  permissions,
  own,
  contentTypeId,
  levels,
}: UsersSourceDeps): RecordSource {
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

const staff = (value: "true" | "false"): QueryFilter => ({ field: "is_staff", operator: "exact", value });

const level = (operator: QueryFilter["operator"], value: number): QueryFilter => ({
  field: "access_level",
  operator,
  value: String(value),
});

const admission = (value: Admission): QueryFilter => ({ field: "admission", operator: "exact", value });

/** The documented filters (specification B section 5): Active means that `is_staff` is true; and who waits, or was refused. */
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
  {
    labelKey: "users.fields.admission",
    options: [
      { labelKey: "users.admission.waiting", filters: [admission("waiting")] },
      { labelKey: "users.admission.refused", filters: [admission("refused")] },
    ],
  },
];

function buildNames(t: TFunction): FieldInfo[] {
  const text = { type: "CharField", control: "text", operators: OPERATORS_OF.text } as const;
  return [
    buildField({
      ...text,
      name: "username",
      verbose_name: t("users.fields.username"),
      help_text: t("users.help.username"),
      required: true,
      max_length: LIMITS.usernameMaxChars,
    }),
    buildField({
      ...text,
      name: "email",
      verbose_name: t("users.fields.email"),
      help_text: t("users.help.email"),
      type: "EmailField",
      control: "email",
      required: true,
      max_length: LIMITS.emailMaxChars,
    }),
    buildField({
      ...text,
      name: "first_name",
      verbose_name: t("users.fields.firstName"),
      max_length: LIMITS.personNameMaxChars,
    }),
    buildField({
      ...text,
      name: "last_name",
      verbose_name: t("users.fields.lastName"),
      max_length: LIMITS.personNameMaxChars,
    }),
  ];
}

function buildSwitches(t: TFunction): FieldInfo[] {
  const toggle = { type: "BooleanField", control: "switch", operators: OPERATORS_OF.switch } as const;
  return [
    buildField({
      ...toggle,
      name: "is_staff",
      verbose_name: t("users.fields.status"),
      help_text: t("users.help.status"),
      read_only: true,
    }),
    buildField({
      ...toggle,
      name: "is_active",
      verbose_name: t("users.fields.isActive"),
      help_text: t("users.help.isActive"),
    }),
    buildField({
      ...toggle,
      name: "is_email_verified",
      verbose_name: t("users.fields.isEmailVerified"),
      help_text: t("users.help.isEmailVerified"),
    }),
  ];
}

function buildMoments(t: TFunction): FieldInfo[] {
  const moment = {
    type: "DateTimeField",
    control: "datetime",
    operators: OPERATORS_OF.moment,
    read_only: true,
  } as const;
  return [
    buildField({ ...moment, name: "date_joined", verbose_name: t("users.fields.dateJoined") }),
    buildField({
      ...moment,
      name: "last_login",
      verbose_name: t("users.fields.lastLogin"),
      operators: [...OPERATORS_OF.moment, "isnull"],
    }),
  ];
}

/** The documented fields of a user in the order of the form; the level is chosen by name and travels as its number. */
function buildUserFields(t: TFunction, levels: FieldInfo["choices"]): FieldInfo[] {
  const accessLevel = buildField({
    name: "access_level",
    verbose_name: t("users.fields.accessLevel"),
    help_text: t("users.help.accessLevel"),
    type: "IntegerField",
    control: "choice",
    required: true,
    operators: OPERATORS_OF.number,
    choices: [...levels],
  });
  const admitted = buildField({
    name: "admission",
    verbose_name: t("users.fields.admission"),
    help_text: t("users.help.admission"),
    type: "ChoiceField",
    control: "choice",
    operators: ["exact", "in"],
    choices: ADMISSIONS.map((value) => ({ value, label: t(`users.admission.${value}`) })),
  });
  return [...buildNames(t), accessLevel, admitted, ...buildSwitches(t), ...buildMoments(t)];
}
