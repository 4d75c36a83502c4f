import * as z from "zod/mini";
import { pagination } from "../content/models.ts";
import { actionType, fieldChanges } from "../content/objects.ts";
import { mailState } from "../mail/address.ts";

/**
 * Whether somebody who registered has been let in, where staff decide about that (`REGISTRATION_MODES`): who waits, or was refused,
 * can't log in. Of all others it is `admitted`.
 */
export const ADMISSIONS = ["admitted", "waiting", "refused"] as const;
export type Admission = (typeof ADMISSIONS)[number];

/** The documented admin user list item (specification B section 3), and what Foyer adds. */
export const adminUser = z.object({
  id: z.number(),
  username: z.string(),
  email: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  date_joined: z.string(),
  is_staff: z.boolean(),
  is_superuser: z.boolean(),
  access_level: z.number(),
  access_level_name: z.string(),
  is_email_verified: z.boolean(),
  /** False: suspended. Not every back end says it. */
  is_active: z._default(z.boolean(), true),
  /** Not every back end says it. */
  admission: z._default(z.enum(ADMISSIONS), "admitted"),
  last_login: z._default(z.nullable(z.string()), null),
  /** Mail to the address comes back or is stopped; null: nothing speaks against it. Not every back end says it. */
  mail_state: z.catch(z.optional(z.nullable(mailState)), null),
});
export type AdminUser = z.infer<typeof adminUser>;
export const adminUsersAnswer = z.object({ users: z.array(adminUser), pagination });
export type AdminUsersAnswer = z.infer<typeof adminUsersAnswer>;

/** What only the server writes may be sent back as it was read, and is left alone. Names that are nobody's are refused. */
const sentBack = z.optional(z.unknown());

/** PUT /api/users/{id}/ (only what is sent changes) and POST /api/users/ (username and email needed). */
export const adminUserWrite = z.strictObject({
  username: z.optional(z.string()),
  email: z.optional(z.string()),
  first_name: z.optional(z.string()),
  last_name: z.optional(z.string()),
  /** The number of a level, such as 10. */
  access_level: z.optional(z.int()),
  is_active: z.optional(z.boolean()),
  is_email_verified: z.optional(z.boolean()),
  /** Decides about somebody who waits, who gets a mail; who was refused may still be admitted. */
  admission: z.optional(z.enum(ADMISSIONS)),
  id: sentBack,
  date_joined: sentBack,
  is_staff: sentBack,
  is_superuser: sentBack,
  access_level_name: sentBack,
  last_login: sentBack,
  mail_state: sentBack,
});
export type AdminUserWrite = z.infer<typeof adminUserWrite>;

/** DELETE /api/users/{id}/sessions/: how many ended. */
export const endedSessionsAnswer = z.object({ ended: z.number() });

/** Access level (specification B section 3): texts in the request's language, and both languages beside them. */
export const accessLevelInfo = z.object({
  id: z.number(),
  level: z.number(),
  name: z.string(),
  description: z.string(),
  is_core: z.boolean(),
  is_active: z.boolean(),
  created_at: z.string(),
  updated_at: z.string(),
  translations: z.optional(
    z.object({
      name: z.object({ en: z.nullable(z.string()), tr: z.nullable(z.string()) }),
      description: z.object({ en: z.nullable(z.string()), tr: z.nullable(z.string()) }),
    }),
  ),
});
export type AccessLevelInfo = z.infer<typeof accessLevelInfo>;
export const accessLevelsAnswer = z.object({ access_levels: z.array(accessLevelInfo), pagination });

const localized = z.union([
  z.string(),
  z.object({ en: z.optional(z.nullable(z.string())), tr: z.optional(z.nullable(z.string())) }),
]);
/** POST and PUT of an access level. A plain text is the one of the request's language. */
export const accessLevelWrite = z.strictObject({
  level: z.optional(z.int()),
  name: z.optional(localized),
  description: z.optional(z.nullable(localized)),
  is_active: z.optional(z.boolean()),
  id: sentBack,
  is_core: sentBack,
  created_at: sentBack,
  updated_at: sentBack,
  translations: sentBack,
});
export type AccessLevelWrite = z.infer<typeof accessLevelWrite>;

/** Action log entry (specification B section 3). */
export const actionEntry = z.object({
  id: z.number(),
  /** Null: the server itself ("System"). An account that is gone has its pseudonym for a username, such as "deleted account 12". */
  user: z.nullable(
    z.object({
      id: z.number(),
      username: z.string(),
      first_name: z.string(),
      last_name: z.string(),
      is_deleted: z.optional(z.boolean()),
    }),
  ),
  action_type: actionType,
  change_message: z.string(),
  /** The model's name in the request's language, or null. */
  content_type: z.nullable(z.string()),
  object_repr: z.nullable(z.string()),
  timestamp: z.string(),
  ip_address: z.nullable(z.string()),
  detail: z._default(z.nullable(z.string()), null),
  content_type_id: z._default(z.nullable(z.number()), null),
  object_id: z._default(z.nullable(z.string()), null),
  /** The object was deleted since, or by this entry. Not every back end says it. */
  is_object_gone: z.optional(z.boolean()),
  /**
   * The bulk operation that the entry is part of. `count`: its entries, where this is the first of them, else null; `is_more`: there are
   * more than that. `filters[0][field]=is_folded` exact false lists one entry of each operation, `batch_id` exact all of one.
   */
  batch: z.optional(z.object({ id: z.string(), count: z.nullable(z.number()), is_more: z.boolean() })),
  /** Fields that the reader may see. */
  changes: z._default(fieldChanges, {}),
});
export type ActionEntry = z.infer<typeof actionEntry>;
export const actionsAnswer = z.object({ actions: z.array(actionEntry), pagination });
export type ActionsAnswer = z.infer<typeof actionsAnswer>;
