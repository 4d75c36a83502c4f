import type { Account } from "../account.ts";
import type { ProfileParts } from "./deps.ts";
import { dropPictures } from "./pictures.ts";

/**
 * After commit: removes the pictures of an account that is gone, and the files of its mails. A failure is told in the log alone,
 * and the daily housekeeping finds the files.
 */
export async function dropFilesOf(
  parts: Pick<ProfileParts, "accounts" | "portraits" | "deleteForgottenMailFiles">,
  account: Pick<Account, "avatar" | "cover">,
): Promise<void> {
  await dropPictures(parts, [account.avatar, account.cover]);
  await parts.deleteForgottenMailFiles().catch((error: unknown) => {
    parts.accounts.log.warn({ err: error }, "the files of a deleted account's mails could not be removed");
  });
}
