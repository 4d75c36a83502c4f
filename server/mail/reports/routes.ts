import * as z from "zod/mini";
import { AppError } from "#server/base/errors.ts";
import { noStore } from "#server/http/caching.ts";
import type { App } from "#server/http/zod.ts";
import type { ReportIntake } from "./intake.ts";
import { ReportRefusedError } from "./refusals.ts";
import type { ReportSource } from "./report-source.ts";

const response = { 200: z.object({ success: z.literal(true) }) };
const schema = { tags: ["mail"], summary: "A provider reports what became of mails", response };

/**
 * Where providers report what became of mails. 200: stored, or nothing to store. 4xx: refused, and the same would be refused again.
 * 503: the database can't take it now, so send it again. Each has an address and a limit of its own.
 */
export async function registerMailWebhooks(
  app: App,
  sources: readonly ReportSource[],
  intake: Pick<ReportIntake, "take">,
): Promise<void> {
  await app.register(async (scope) => {
    // The signature is over the bytes, and Amazon calls its JSON text/plain.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
    // What isn't set up is not there, whatever is posted to it.
    const notFound = async () => {
      throw new AppError("not_found");
    };
    scope.post(
      "/api/mail/webhooks/:provider/",
      { onRequest: [noStore, notFound], schema: { hide: true } },
      notFound,
    );
    for (const source of sources) {
      scope.post(
        `/api/mail/webhooks/${source.name}/`,
        { onRequest: noStore, bodyLimit: source.bodyMaxBytes, schema },
        async (request) => {
          const raw = request.body instanceof Buffer ? request.body : Buffer.alloc(0);
          try {
            await intake.take(source, raw, request.headers, request.ip);
          } catch (error) {
            if (!(error instanceof ReportRefusedError)) throw error;
            // The reason is the staff's: it would tell a forger what to mend.
            throw new AppError(error.status === 400 ? "malformed_body" : "permission_denied");
          }
          return { success: true } as const;
        },
      );
    }
  });
}
