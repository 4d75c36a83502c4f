import type { PermissionsAnswer } from "#contract/accounts.ts";
import type { ModelInfo } from "#contract/models.ts";

export type Permission = keyof ModelInfo["permissions"];

/** What the signed-in person may do, known from one call; the server decides again at every door. */
export interface Permissions {
  isSuperuser: boolean;
  accessLevel: number;
  /** `model`: the number of a content type, or a name such as `accounts.user`. */
  can(permission: Permission, model: number | string): boolean;
}

interface Person {
  access_level: number;
  profile: { is_superuser: boolean };
}

/** Reads the answer of the permissions call. */
export function toPermissions({ access_level, is_superuser, models }: PermissionsAnswer): Permissions {
  const known = new Map<number | string, ModelInfo["permissions"]>();
  for (const model of models) {
    known.set(model.content_type_id, model.permissions);
    known.set(`${model.app_label}.${model.model_name}`, model.permissions);
  }
  return {
    isSuperuser: is_superuser,
    accessLevel: access_level,
    can: (permission, model) => known.get(model)?.[permission] ?? false,
  };
}

/** For a back end without that call: staff see, make and change, superusers delete (specification B section 6). */
export function guessPermissions({ access_level, profile }: Person): Permissions {
  return {
    isSuperuser: profile.is_superuser,
    accessLevel: access_level,
    can: (permission) => permission !== "delete" || profile.is_superuser,
  };
}
