import type { FastifyRequest } from "fastify";
import * as z from "zod/mini";
import { AppError } from "#server/http/errors.ts";
import { noStore } from "#server/http/no-store.ts";
import type { App } from "#server/http/zod-compiler.ts";
import type { ReportIntake } from "./intake.ts";
import { ReportRefusedError } from "./refusals.ts";

/** Amazon's messages hold at most 256 KiB of text, which grows where it is escaped; a provider that sends more is refused. */
const BODY_MAX_BYTES = 512 * 1024;

const params = z.object({ provider: z.string() });
const response = { 200: z.object({ success: z.literal(true) }) };

/**
 * Where providers report what became of mails. 200: stored, or nothing to store. 4xx: refused, and the same would be refused again.
 * 503: the database can't take it now, so send it again.
 */
export async function registerMailWebhooks(app: App, intake: ReportIntake): Promise<void> {
  await app.register(async (scope) => {
    // The signature is over the bytes, and Amazon calls its JSON text/plain.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
    scope.post(
      "/api/mail/webhooks/:provider/",
      {
        onRequest: noStore,
        bodyLimit: BODY_MAX_BYTES,
        schema: { tags: ["mail"], summary: "A provider reports what became of mails", params, response },
      },
      async (request: FastifyRequest<{ Params: z.infer<typeof params> }>) => {
        const source = intake.find(request.params.provider);
        if (!source) throw new AppError("not_found");
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
  });
}
