import type { AccessControlProvider } from "@refinedev/core";
import { type PermissionsAnswer, permissionsAnswer } from "#contract/accounts/accounts.ts";
import type { ModelInfo } from "#contract/content/models.ts";
import type { ErrorCode } from "#contract/errors.ts";
import type { AuthState } from "../http/auth-state.ts";
import { type Http, HttpError } from "../http/http.ts";
import type { Session } from "../http/session.ts";

type Permission = keyof ModelInfo["permissions"];

const ALL = ["view", "create", "update", "delete"] as const;

/** What the signed-in person may do, known from one call; the server decides again at every endpoint. */
export interface Permissions {
  isSuperuser: boolean;
  accessLevel: number;
  /** `model`: the number of a content type, or a name such as `accounts.user`. */
  can(permission: Permission, model: number | string): boolean;
  /** Number of the content type called `accounts.user`; undefined where the back end names none. */
  findContentType?(model: string): number | undefined;
  /** The same for `auth_state` (specification A section 3), where the back end sent it. */
  remembered?: RememberedPermissions;
}

type RememberedPermissions = Pick<AuthState, "permissions" | "availableModels">;

interface Person {
  access_level: number;
  profile: { is_superuser: boolean };
}

/** Reads the answer of the permissions call. */
export function toPermissions({ access_level, is_superuser, models }: PermissionsAnswer): Permissions {
  const known = new Map<number | string, ModelInfo["permissions"]>();
  const numbers = new Map<string, number>();
  for (const model of models) {
    known.set(model.content_type_id, model.permissions);
    known.set(`${model.app_label}.${model.model_name}`, model.permissions);
    numbers.set(`${model.app_label}.${model.model_name}`, model.content_type_id);
  }
  return {
    isSuperuser: is_superuser,
    accessLevel: access_level,
    can: (permission, model) => known.get(model)?.[permission] ?? false,
    findContentType: (model) => numbers.get(model),
    remembered: toRemembered(models),
  };
}

/** `cv.certificate:update` for each thing that is allowed, and the models that can be seen. */
function toRemembered(models: PermissionsAnswer["models"]): RememberedPermissions {
  const toName = (model: PermissionsAnswer["models"][number]) => `${model.app_label}.${model.model_name}`;
  return {
    permissions: models.flatMap((model) =>
      ALL.filter((name) => model.permissions[name]).map((name) => `${toName(model)}:${name}`),
    ),
    availableModels: models.filter(({ permissions }) => permissions.view).map(toName),
  };
}

/** Lets `auth_state` say what the permissions call said; nothing where it said nothing. */
export function rememberPermissions(
  session: Pick<Session, "updateAuthState">,
  permissions: Permissions | undefined,
): void {
  session.updateAuthState(permissions?.remembered ?? { permissions: [], availableModels: [] });
}

/** For a back end without that call: staff see, make and change, superusers delete (specification B section 6). */
export function guessPermissions({ access_level, profile }: Person): Permissions {
  return {
    isSuperuser: profile.is_superuser,
    accessLevel: access_level,
    can: (permission) => permission !== "delete" || profile.is_superuser,
  };
}

/**
 * A model with what the person may really do: a back end of the documented shape says nothing of that, and its models are
 * completed as if all were allowed. Nobody gains anything that the model itself denies.
 */
export function withinPermissions(model: ModelInfo, { can }: Pick<Permissions, "can">): ModelInfo {
  const permissions = { ...model.permissions };
  for (const name of ALL) permissions[name] &&= can(name, model.content_type_id);
  return { ...model, permissions };
}

/** The code of a refusal for want of a second factor: the console stays closed until the person has one. */
export const FACTOR_DUE = "second_factor_due" satisfies ErrorCode;

/**
 * The one permissions call of a session. Undefined where the back end has none, or the person is no staff (403), which the
 * session says as well. Rejects where it can't be asked, and where they owe a second factor (`second_factor_due`).
 */
export async function fetchPermissions(http: Pick<Http, "request">): Promise<Permissions | undefined> {
  try {
    return toPermissions(await http.request("/api/admin/permissions/", { schema: permissionsAnswer }));
  } catch (error) {
    if (!(error instanceof HttpError) || error.code === FACTOR_DUE) throw error;
    if ([401, 403, 404].includes(error.status)) return undefined;
    throw error;
  }
}

/** Refine's actions under the names that permissions are given by. */
const PERMISSIONS: Readonly<Record<string, Permission>> = {
  list: "view",
  show: "view",
  create: "create",
  clone: "create",
  edit: "update",
  delete: "delete",
};

/** The content models behind the resources that have endpoints of their own. */
const MODEL_KEYS: Readonly<Record<string, string>> = {
  users: "accounts.user",
  "access-levels": "accounts.access_level",
  actions: "audit.entry",
  "email-monitoring": "mail.message",
  "email-bounces": "mail.bounce",
  "email-complaints": "mail.complaint",
};

/** The model that decides about a resource; undefined where the server alone does. */
export function findModelKey(resource: string): number | string | undefined {
  const id = /^models\/(\d+)\/objects$/.exec(resource)?.[1];
  return id === undefined ? MODEL_KEYS[resource] : Number(id);
}

/** Answers from the permissions that are known, without a request of its own: Refine asks once for each row and button. */
export function createAccessControl(permissions: Permissions): AccessControlProvider {
  return {
    async can({ resource, action }) {
      const model = findModelKey(resource ?? "");
      const permission = PERMISSIONS[action];
      if (model === undefined || permission === undefined) return { can: true };
      return { can: permissions.can(permission, model) };
    },
    options: { buttons: { hideIfUnauthorized: true } },
  };
}
