import type { BaseRecord } from "@refinedev/core";
import * as z from "zod/mini";
import {
  type AccessLevelInfo,
  type ActionEntry,
  type AdminUser,
  accessLevelInfo,
  accessLevelsAnswer,
  actionsAnswer,
  adminUser,
  adminUsersAnswer,
} from "#contract/accounts/admin-users.ts";
import {
  type Control,
  type FilterOperator,
  modelInfo,
  modelsAnswer,
  objectsAnswer,
  type Pagination,
  record,
} from "#contract/content/models.ts";
import type { Endpoint, Rows } from "./endpoint.ts";
import { BOUNCES, COMPLAINTS } from "./mail-endpoints.ts";

// The documented model and its objects (specification B section 3) say less than Foyer's: a back end that offers the
// documented endpoints and nothing more gets the rest from here. What an answer says itself always counts.

const documentedField = z.looseObject({ name: z.string(), type: z.catch(z.string(), "") });
const documentedModel = z.looseObject({ verbose_name: z.string(), fields: z.array(documentedField) });
const documentedRecord = z.looseObject({ id: z.number() });

/** Controls by the documented type. Files are shown and not written: uploads are no documented call. */
const CONTROLS: Readonly<Record<string, Control>> = {
  CharField: "text",
  TextField: "textarea",
  BooleanField: "switch",
  IntegerField: "number",
  BigIntegerField: "number",
  SmallIntegerField: "number",
  PositiveIntegerField: "number",
  FloatField: "number",
  ForeignKey: "number",
  DecimalField: "decimal",
  DateField: "date",
  DateTimeField: "datetime",
  EmailField: "email",
  URLField: "url",
  SlugField: "slug",
  JSONField: "json",
};

/** The operators of the specification's own filters; order means something for these controls alone. */
const ORDERED: ReadonlySet<Control> = new Set(["number", "decimal", "date", "datetime"]);
const RANGE_OPERATORS: readonly FilterOperator[] = ["exact", "gte", "lt", "in"];

/** Written by the server, and left out of the columns that nobody chose (specification B section 2). */
const OWN_FIELDS: ReadonlySet<string> = new Set(["id", "created_at", "updated_at"]);
const COLUMNS_MAX = 5;

function completeField(field: z.infer<typeof documentedField>): object {
  const control = CONTROLS[field.type] ?? "read-only";
  const complete = {
    verbose_name: field.name,
    help_text: "",
    control,
    required: false,
    read_only: control === "read-only" || OWN_FIELDS.has(field.name),
    sortable: true,
    operators: ORDERED.has(control) ? RANGE_OPERATORS : ["exact"],
    max_length: null,
    accept: [],
    related_model: null,
    ...field,
  };
  // What no control writes is never written, whatever else an answer says of it.
  return complete.control === "read-only" ? { ...complete, read_only: true } : complete;
}

/** Permissions: all of them, which `withinPermissions` narrows to what the person's role allows. */
function completeModel(answer: unknown): unknown {
  const { data: model } = documentedModel.safeParse(answer);
  if (!model) return answer;
  const names = model.fields.map(({ name }) => name).filter((name) => !OWN_FIELDS.has(name));
  return {
    verbose_name_plural: model.verbose_name,
    description: "",
    count_is_estimate: false,
    has_timestamps: false,
    is_singleton: false,
    list_columns: names.slice(0, COLUMNS_MAX),
    is_searchable: true,
    default_sort: [],
    site_path: null,
    permissions: { view: true, create: true, update: true, delete: true },
    ...model,
    fields: model.fields.map(completeField),
  };
}

/** What people call the object: its first text, else its number. */
function toRepr(row: z.infer<typeof documentedRecord>): string {
  const texts = Object.entries(row).filter(([name]) => !OWN_FIELDS.has(name));
  const first = texts.map(([, value]) => value).find((value) => typeof value === "string" && value !== "");
  return typeof first === "string" ? first : `#${row.id}`;
}

function completeRecord(answer: unknown): unknown {
  const { data: row } = documentedRecord.safeParse(answer);
  return row ? { repr: toRepr(row), ...row } : answer;
}

/** The same for each entry of the list under a name: `{ models: [...] }`. */
function completeEach(answer: unknown, name: string, complete: (entry: unknown) => unknown): unknown {
  const { data } = z.looseObject({ [name]: z.array(z.unknown()) }).safeParse(answer);
  return data ? { ...data, [name]: z.array(z.unknown()).parse(data[name]).map(complete) } : answer;
}

/** GET /api/admin/dashboard/ names models too. */
export function completeDashboard(answer: unknown): unknown {
  return completeEach(answer, "available_models", completeModel);
}

/** Base of the documented admin service. */
export const ADMIN_API = "/api/admin";
const USERS_API = "/api/users";

function toRows(data: BaseRecord[], pagination: Pagination): Rows {
  const { total_count, count_is_estimate, next_cursor } = pagination;
  return {
    data,
    total: total_count,
    isEstimate: count_is_estimate,
    ...(next_cursor !== null && { cursor: { next: next_cursor } }),
  };
}

/** The documented items have no `repr`; what people call them stands in for it. */
const toPerson = (user: AdminUser) => ({
  ...user,
  repr: [user.first_name, user.last_name].filter(Boolean).join(" ") || user.username,
});
/** Texts in both languages, where the back end has them: forms write both. */
const toLevel = ({ translations, ...level }: AccessLevelInfo) => ({
  ...level,
  ...translations,
  repr: `${level.name} (${level.level})`,
});
const toAction = (entry: ActionEntry) => ({ ...entry, repr: entry.object_repr ?? entry.action_type });

const MODELS: Endpoint = {
  list: `${ADMIN_API}/models/`,
  one: `${ADMIN_API}/models/`,
  updateMethod: "PATCH",
  readList(answer) {
    const { models } = modelsAnswer.parse(completeEach(answer, "models", completeModel));
    return { data: models, total: models.length };
  },
  readOne: (answer) => modelInfo.parse(completeModel(answer)),
};

/** Lists of the admin service (20 a page), single records of the user admin service (specification B section 7). */
const USERS: Endpoint = {
  list: `${ADMIN_API}/users/`,
  one: `${USERS_API}/`,
  updateMethod: "PUT",
  readList(answer) {
    const { users, pagination } = adminUsersAnswer.parse(answer);
    return toRows(users.map(toPerson), pagination);
  },
  readOne: (answer) => toPerson(adminUser.parse(answer)),
};

const ACCESS_LEVELS: Endpoint = {
  list: `${USERS_API}/access-levels/`,
  one: `${USERS_API}/access-levels/`,
  updateMethod: "PUT",
  readList(answer) {
    const { access_levels, pagination } = accessLevelsAnswer.parse(answer);
    return toRows(access_levels.map(toLevel), pagination);
  },
  readOne: (answer) => toLevel(accessLevelInfo.parse(answer)),
};

const ACTIONS: Endpoint = {
  list: `${ADMIN_API}/actions/`,
  one: `${ADMIN_API}/actions/`,
  updateMethod: "PATCH",
  readList(answer) {
    const { actions, pagination } = actionsAnswer.parse(answer);
    return toRows(actions.map(toAction), pagination);
  },
  readOne(answer) {
    throw new Error(`The admin service has no endpoint to one action: ${JSON.stringify(answer)}`);
  },
};

const BY_NAME: Readonly<Record<string, Endpoint>> = {
  models: MODELS,
  users: USERS,
  "access-levels": ACCESS_LEVELS,
  actions: ACTIONS,
  "email-bounces": BOUNCES,
  "email-complaints": COMPLAINTS,
};

/** The endpoint of a resource: one of the fixed ones, or `models/7/objects`. @throws Error for a name that is neither. */
export function requireEndpoint(resource: string): Endpoint {
  const fixed = BY_NAME[resource];
  if (fixed) return fixed;
  if (!/^models\/\d+\/objects$/.test(resource)) throw new Error(`There is no endpoint for "${resource}"`);
  const path = `${ADMIN_API}/${resource}/`;
  return {
    list: path,
    one: path,
    updateMethod: "PATCH",
    readList(answer) {
      const { objects, pagination } = objectsAnswer.parse(completeEach(answer, "objects", completeRecord));
      return toRows(objects, pagination);
    },
    readOne: (answer) => record.parse(completeRecord(answer)),
  };
}
