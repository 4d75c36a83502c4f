import fastJson from "fast-json-stringify";
import type { FastifyInstance } from "fastify";
import { validatorCompiler, type ZodTypeProvider } from "fastify-type-provider-zod";
import * as z from "zod/mini";

/** A Fastify instance whose routes take their types from Zod schemas. */
export type App = FastifyInstance<
  import("fastify").RawServerDefault,
  import("node:http").IncomingMessage,
  import("node:http").ServerResponse,
  import("fastify").FastifyBaseLogger,
  ZodTypeProvider
>;

/**
 * Requests are parsed by Zod; answers are written by fast-json-stringify from the same schema, which drops what a schema
 * doesn't name and costs half of parsing an answer through Zod (facts/engine.md (a)).
 */
export function useZod(app: FastifyInstance): App {
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(({ schema }) => {
    const jsonSchema = z.toJSONSchema(schema as z.ZodMiniType, {
      target: "draft-07",
      unrepresentable: "any",
    });
    return fastJson(jsonSchema as fastJson.Schema);
  });
  return app.withTypeProvider<ZodTypeProvider>();
}
