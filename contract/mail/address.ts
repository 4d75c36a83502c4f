import * as z from "zod/mini";

/** Why mail to an address is stopped, or comes back. `staff`: people who may open the console, or an import of theirs. */
const cause = z.enum(["bounce", "complaint", "unsubscribe", "staff"]);

/** Whether mail reaches an address, where something speaks against it. */
export const mailState = z.object({
  /** `returned`: the latest mail came back; `stopped`: a suppression holds, and mail of its `scope` isn't sent. */
  state: z.enum(["returned", "stopped"]),
  cause,
  /** `optional`: codes and security notices are still sent. Null: nothing is stopped. */
  scope: z.nullable(z.enum(["all", "optional"])),
  /** Why, as a sentence in the reader's language. */
  reason: z.string(),
  /** ISO moment. */
  since: z.string(),
});
export type MailState = z.infer<typeof mailState>;

/**
 * GET /api/users/mail-address/: whether mail reaches the own address, and POST …/try/, which lets mail through again and sends a
 * mail there. Of an address that isn't proven nothing is said: it may be somebody else's.
 */
export const ownMailAddress = z.object({
  email: z.string(),
  /** Null: nothing speaks against it. */
  problem: z.nullable(mailState),
  /** Staff have not stopped it, so that the person may try. */
  can_try: z.boolean(),
  /** ISO moments: when it was tried last, and from when on it may be again; null: never, and now. */
  tried_at: z.nullable(z.string()),
  next_try_at: z.nullable(z.string()),
});
export type OwnMailAddress = z.infer<typeof ownMailAddress>;
