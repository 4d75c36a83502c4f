import * as z from "zod/mini";
import { accountProfile } from "./accounts.ts";

/** GET /api/users/sessions/. */
export const accountSession = z.object({
  id: z.string(),
  /** Browser and system, as the browser named them: "Firefox · Windows". Empty where it named none. */
  device: z.string(),
  ip_address: z.nullable(z.string()),
  created_at: z.string(),
  last_used_at: z.string(),
  is_current: z.boolean(),
});
export type AccountSession = z.infer<typeof accountSession>;
export const sessionsAnswer = z.object({ sessions: z.array(accountSession) });

/** GET /api/users/profile/, and the answer of PUT: the profile with what its form shows beside it. */
export const ownProfile = z.extend(accountProfile, {
  username: z.string(),
  email: z.string(),
  /** A new address that waits for its code, else null. */
  pending_email: z.nullable(z.string()),
});
export type OwnProfile = z.infer<typeof ownProfile>;

/** GET /api/users/activity/?before=: the person's own entries of the audit log, newest first. */
export const activityEntry = z.object({
  id: z.number(),
  action_type: z.enum(["CREATE", "UPDATE", "DELETE", "VIEW", "LOGIN", "LOGOUT"]),
  detail: z.nullable(z.string()),
  object_repr: z.nullable(z.string()),
  timestamp: z.string(),
  ip_address: z.nullable(z.string()),
});
export type ActivityEntry = z.infer<typeof activityEntry>;
export const activityAnswer = z.object({
  entries: z.array(activityEntry),
  /** For the next page's `before`; null at the end. */
  next_before: z.nullable(z.number()),
});
