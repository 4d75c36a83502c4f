import type { BaseRecord } from "@refinedev/core";
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
import { modelInfo, modelsAnswer, objectsAnswer, type Pagination, record } from "#contract/content/models.ts";
import type { Endpoint, Rows } from "./refine/endpoint.ts";
import { completeEach, completeModel, completeRecord } from "./refine/endpoints.ts";
import { BOUNCES, COMPLAINTS } from "./refine/mail-endpoints.ts";

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
    throw new Error(`The admin service has no door to one action: ${JSON.stringify(answer)}`);
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
    bulk: `${path}bulk/`,
    updateMethod: "PATCH",
    readList(answer) {
      const { objects, pagination } = objectsAnswer.parse(completeEach(answer, "objects", completeRecord));
      return toRows(objects, pagination);
    },
    readOne: (answer) => record.parse(completeRecord(answer)),
  };
}
