import type { FastifyReply, FastifyRequest } from "fastify";
import type { Coding } from "./encoder.ts";
import type { CachedPage } from "./html-cache.ts";

/** The smaller one first. */
const CODINGS: readonly Coding[] = ["br", "gzip"];

/** Whether `Accept-Encoding` names a coding and does not refuse it with a weight of 0. */
function acceptsCoding(accepted: string, coding: string): boolean {
  return accepted.split(",").some((entry) => {
    const [name = "", weight = ""] = entry.toLowerCase().replaceAll(/\s/g, "").split(";");
    return name === coding && !/^q=0(\.0*)?$/.test(weight);
  });
}

function chooseCoding(request: FastifyRequest): Coding | undefined {
  const accepted = request.headers["accept-encoding"] ?? "";
  return CODINGS.find((coding) => acceptsCoding(accepted, coding));
}

/**
 * Answers with a finished text: in a coding that the client takes, or as 304 when the client has it already.
 * @param vary what else than the coding the answer depends on.
 */
export async function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  page: CachedPage,
  { type, vary = [] }: { type: string; vary?: readonly string[] },
): Promise<FastifyReply> {
  reply
    .header("Cache-Control", "no-cache")
    .header("ETag", page.etag)
    .header("Vary", ["Accept-Encoding", ...vary].join(", "));
  if (page.status === 200 && request.headers["if-none-match"]?.includes(page.etag))
    return reply.code(304).send();
  const coding = chooseCoding(request);
  const body = coding ? await page.encode(coding) : page.identity;
  if (coding) reply.header("Content-Encoding", coding);
  return reply.code(page.status).type(`${type}; charset=utf-8`).send(body);
}
