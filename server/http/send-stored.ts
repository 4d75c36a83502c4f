import type { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";

/** Content that never changes under its address, as a storage opens it. `version` names it in the ETag. */
export interface StoredContent {
  stream: Readable;
  byteSize: number;
  mediaType: string;
  version: string;
  cacheControl: string;
}

export const CACHED_FOREVER = "public, max-age=31536000, immutable";

/** Answers with stored content, or as 304 when the client has it already: the opened stream is then let go. */
export function sendStored(
  request: FastifyRequest,
  reply: FastifyReply,
  { stream, byteSize, mediaType, version, cacheControl }: StoredContent,
): FastifyReply {
  const etag = `"${version}"`;
  reply.header("Cache-Control", cacheControl).header("ETag", etag);
  if (request.headers["if-none-match"] === etag) {
    stream.destroy();
    return reply.code(304).send();
  }
  return reply.type(mediaType).header("Content-Length", byteSize).send(stream);
}
