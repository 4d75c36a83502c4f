import * as z from "zod/mini";

/** PUT /voice/users/status. */
const voiceStatus = z.enum(["online", "away", "busy", "offline"]);
export const voiceStatusRequest = z.object({ status: voiceStatus });

/** Another person, as far as their privacy settings say. */
export const voiceUser = z.object({
  id: z.number(),
  username: z.string(),
  display_name: z.string(),
  avatar: z.nullable(z.string()),
  bio: z.string(),
  access_level: z.number(),
  /** `offline` also where the person doesn't show it. */
  status: voiceStatus,
});
export type VoiceUser = z.infer<typeof voiceUser>;

/** GET /voice/users/online and /voice/users/search?q=. */
export const voiceUsersAnswer = z.object({ users: z.array(voiceUser) });
