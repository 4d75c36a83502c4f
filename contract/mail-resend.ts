import * as z from "zod/mini";
import { ADMIN_LIMITS } from "./content/lists.ts";
import { rowId } from "./storable.ts";

/**
 * POST /api/mail/messages/resend/: mails that didn't arrive are sent anew, each as a mail of its own; POST
 * /api/mail/messages/{id}/resend/ is the same of one. Both answer a `triageAnswer`.
 */
export const resendRequest = z.strictObject({
  message_ids: z.array(rowId).check(z.minLength(1), z.maxLength(ADMIN_LIMITS.batchRowsMax)),
});
