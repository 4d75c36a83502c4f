import * as z from "zod/mini";
import { ACCESS_LEVEL } from "#contract/access-levels.ts";
import { mailboxAnswer, mailboxMail } from "#contract/mailbox.ts";
import { AppError } from "#server/base/errors.ts";
import { type RequireLevel, SIGNED_IN } from "#server/http/bearer.ts";
import { noStore } from "#server/http/caching.ts";
import type { App } from "#server/http/zod.ts";
import type { Mailbox } from "../mailbox.ts";

/** The owner's view of mails that are files. Only a site in development has it: mails hold codes of other people. */
export function registerMailboxRoutes(
  app: App,
  { mailbox, requireLevel }: { mailbox: Mailbox; requireLevel: RequireLevel },
): void {
  const guards = { onRequest: noStore, preHandler: requireLevel(ACCESS_LEVEL.superuser) };
  const about = { tags: ["mail"], security: SIGNED_IN };

  app.get(
    "/api/mail/mailbox/",
    {
      ...guards,
      schema: { ...about, summary: "Mails that were written to files", response: { 200: mailboxAnswer } },
    },
    async () => ({ mails: await mailbox.list() }),
  );

  app.get(
    "/api/mail/mailbox/:file/",
    {
      ...guards,
      schema: {
        ...about,
        summary: "One such mail",
        params: z.object({ file: z.string() }),
        response: { 200: mailboxMail },
      },
    },
    async (request) => {
      const mail = await mailbox.read(request.params.file);
      if (!mail) throw new AppError("not_found");
      return mail;
    },
  );
}
