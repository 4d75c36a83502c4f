import { join } from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance } from "fastify";

/** Names under `/assets/` carry a hash of their content; the PDF worker's address carries its version. */
const HASHED = /[/\\]assets[/\\]|[/\\]pdf\.worker\.min\.mjs$/;

/** Serves the built browser app's files, pre-compressed; HTML has routes of its own. */
export async function registerAssets(app: FastifyInstance, outDir: string): Promise<void> {
  await app.register(fastifyStatic, {
    root: join(outDir, "client"),
    wildcard: false,
    index: false,
    preCompressed: true,
    cacheControl: false,
    globIgnore: ["**/*.html", "**/.vite/**", "**/*.br", "**/*.gz"],
    setHeaders(reply, path) {
      reply.header(
        "Cache-Control",
        HASHED.test(path) ? "public, max-age=31536000, immutable" : "public, max-age=3600",
      );
      reply.header("Vary", "Accept-Encoding");
    },
  });
}
