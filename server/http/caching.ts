import "@fastify/accepts";
import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { CachedPage, Coding } from "./pages/html-cache.ts";

/** A hook for answers with tokens or personal data: they stay out of every cache. */
export async function noStore(_request: FastifyRequest, reply: FastifyReply): Promise<void> {
  reply.header("Cache-Control", "no-store");
}

/** Content as a storage opens it. `version` names it in the ETag. */
export interface StoredContent {
  stream: Readable;
  byteSize: number;
  mediaType: string;
  version: string;
  cacheControl: string;
}

/**
 * Content that can be taken away. Caches on the way ask each time, so that what was deleted or hidden is gone there at once; a browser
 * that has shown it asks again after five minutes. The answer that nothing changed costs no statement (decision 26).
 */
export const CACHED_BRIEFLY = "public, max-age=300, s-maxage=0, must-revalidate";
/** Content that this reader alone may have, and the answer that there is none. */
const NEVER_SHARED = "private, no-store";

/** Says who may keep an answer that holds a file or a picture of it. */
export function setFileCaching(reply: FastifyReply, access: "public" | "private" | undefined): string {
  const cacheControl = access === "public" ? CACHED_BRIEFLY : NEVER_SHARED;
  reply
    .header("Cache-Control", cacheControl)
    .header("Cross-Origin-Resource-Policy", access === "public" ? "cross-origin" : "same-site");
  return cacheControl;
}

const isKnown = (request: FastifyRequest, version: string) =>
  request.headers["if-none-match"] === `"${version}"`;

/**
 * Opens what an answer is made of. Of what goes without a body, because the client has it or asks for the head alone, only the size
 * is asked for: a store on another machine sends nothing then.
 */
export async function openStored(
  request: FastifyRequest,
  version: string,
  content: {
    open(): Promise<Pick<StoredContent, "stream" | "byteSize"> | undefined>;
    stat(): Promise<Pick<StoredContent, "byteSize"> | undefined>;
  },
): Promise<Pick<StoredContent, "stream" | "byteSize"> | undefined> {
  const hasBody = request.method !== "HEAD" && !isKnown(request, version);
  const found = hasBody ? undefined : await content.stat();
  return found ? { ...found, stream: Readable.from([]) } : content.open();
}

/** Answers with stored content, or as 304 when the client has it already: the opened stream is then let go. */
export function sendStored(
  request: FastifyRequest,
  reply: FastifyReply,
  { stream, byteSize, mediaType, version, cacheControl }: StoredContent,
): FastifyReply {
  const etag = `"${version}"`;
  reply.header("Cache-Control", cacheControl).header("ETag", etag);
  if (isKnown(request, version)) {
    stream.destroy();
    return reply.code(304).send();
  }
  return reply.type(mediaType).header("Content-Length", byteSize).send(stream);
}

/** The smaller one first. */
const CODINGS: readonly Coding[] = ["br", "gzip"];

/** Undefined: as it is. Each is asked for alone: among equals the client's order would decide, and browsers name gzip first. */
export function chooseCoding(request: FastifyRequest): Coding | undefined {
  const accepted = request.accepts();
  return CODINGS.find((coding) => accepted.encoding([coding]) === coding);
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
