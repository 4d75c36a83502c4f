import { promisify } from "node:util";
import zlib from "node:zlib";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { chooseCoding } from "./caching.ts";
import type { Coding } from "./pages/html-cache.ts";

/** Below this the headers and the work outweigh what is saved. */
const COMPRESSED_BYTES_MIN = 1024;
/** About the work of gzip, and a fifth smaller; 11, the default, takes thirty times as long. */
const BROTLI_QUALITY = 4;

const brotli = promisify(zlib.brotliCompress);
const gzip = promisify(zlib.gzip);

const ENCODERS: Record<Coding, (text: string) => Promise<Buffer>> = {
  br: (text) =>
    brotli(text, {
      params: {
        [zlib.constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
        [zlib.constants.BROTLI_PARAM_SIZE_HINT]: text.length,
      },
    }),
  gzip: (text) => gzip(text),
};

/**
 * Whether an answer is one of these: JSON that was read, whole, in no coding yet. Tokens, which must not be compressed beside
 * what a client sent (BREACH), travel in answers to POST alone, or in ones that are smaller. Exports are streams.
 */
function isCompressible(request: FastifyRequest, reply: FastifyReply, payload: unknown): payload is string {
  return (
    typeof payload === "string" &&
    (request.method === "GET" || request.method === "HEAD") &&
    String(reply.getHeader("Content-Type")).startsWith("application/json") &&
    !reply.hasHeader("Content-Encoding") &&
    Buffer.byteLength(payload) >= COMPRESSED_BYTES_MIN
  );
}

function addVary(reply: FastifyReply, name: string): void {
  const given = String(reply.getHeader("Vary") ?? "");
  if (!given.toLowerCase().includes(name.toLowerCase()))
    reply.header("Vary", given ? `${given}, ${name}` : name);
}

/**
 * Compresses JSON answers, off the main thread. @fastify/compress would make a stream without a length of each, of exports and
 * of pages that have their coding already.
 */
export function compressJson(app: FastifyInstance): void {
  app.addHook("onSend", async (request, reply, payload) => {
    if (!isCompressible(request, reply, payload)) return payload;
    addVary(reply, "Accept-Encoding");
    const coding = chooseCoding(request);
    if (!coding) return payload;
    const body = await ENCODERS[coding](payload);
    reply.header("Content-Encoding", coding).header("Content-Length", body.byteLength);
    return body;
  });
}
