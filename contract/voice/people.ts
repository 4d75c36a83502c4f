import * as z from "zod/mini";

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
