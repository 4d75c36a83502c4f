import * as z from "zod/mini";
import type { PrivacySettings } from "../accounts/accounts.ts";

/** What others call somebody. Never the username, which is half of a log-in. */
export function toShownName(person: {
  id: number;
  first_name: string;
  last_name: string;
  privacy_settings: PrivacySettings;
}): string {
  const { show_profile, shown_name } = person.privacy_settings;
  const ownName = show_profile ? `${person.first_name} ${person.last_name}`.trim() : "";
  return ownName || shown_name || `#${person.id}`;
}

/** Somebody whom a moderator has barred: GET …/bans/. */
export const roomBan = z.object({
  user_id: z.string(),
  display_name: z.string(),
  /** ISO moment. */
  created_at: z.string(),
});
export const roomBansAnswer = z.object({ bans: z.array(roomBan) });
export type RoomBan = z.infer<typeof roomBan>;

/** GET /voice/blocks/: whom the person has blocked for themselves. PUT and DELETE /voice/blocks/{userId}. */
export const blocksAnswer = z.object({
  blocks: z.array(z.object({ user_id: z.string(), display_name: z.string() })),
});

/** PUT /voice/users/status. */
const voiceStatus = z.enum(["online", "away", "busy", "offline"]);
export const voiceStatusRequest = z.object({ status: voiceStatus });

/** Another person, as far as their privacy settings say. */
export const voiceUser = z.object({
  id: z.number(),
  /** What they log in with: said to themselves and to admins. */
  username: z.optional(z.string()),
  display_name: z.string(),
  avatar: z.nullable(z.string()),
  bio: z.string(),
  /** Said to themselves and to admins. */
  access_level: z.optional(z.number()),
  /** `offline` also where the person doesn't show it. */
  status: voiceStatus,
});
export type VoiceUser = z.infer<typeof voiceUser>;

/** GET /voice/users/online and /voice/users/search?q=. */
export const voiceUsersAnswer = z.object({ users: z.array(voiceUser) });
