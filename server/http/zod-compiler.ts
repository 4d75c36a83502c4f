import fastJson from "fast-json-stringify";
import type { FastifyInstance } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import * as z from "zod/mini";
import { AppError } from "./errors.ts";
import { toFieldFaults } from "./zod-faults.ts";

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
 * doesn't name.
 */
export function withZod(app: FastifyInstance): App {
  app.setValidatorCompiler(({ schema }) => {
    const check = schema as z.ZodMiniType; // routes are typed by ZodTypeProvider: their schemas are Zod's
    return (given: unknown) => {
      const parsed = check.safeParse(given);
      if (parsed.success) return { value: parsed.data };
      return {
        error: new AppError("validation_failed", { fields: toFieldFaults(parsed.error.issues, given) }),
      };
    };
  });
  app.setSerializerCompiler(({ schema }) => {
    const jsonSchema = z.toJSONSchema(schema as z.ZodMiniType, {
      target: "draft-07",
      unrepresentable: "any",
    });
    return fastJson(jsonSchema as fastJson.Schema);
  });
  return app.withTypeProvider<ZodTypeProvider>();
}
