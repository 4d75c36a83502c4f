import fastJson from "fast-json-stringify";
import type { FastifyInstance } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import * as z from "zod/mini";
import { AppError } from "../base/errors.ts";
import { toFieldFaults } from "./zod-faults.ts";

/** A Fastify instance whose routes take their types from Zod schemas. */
export type App = FastifyInstance<
  import("fastify").RawServerDefault,
  import("node:http").IncomingMessage,
  import("node:http").ServerResponse,
  import("fastify").FastifyBaseLogger,
  ZodTypeProvider
>;

type Serializer = (data: unknown) => string;

/** By schema: one is compiled once in a process, however many apps its tests open. */
const serializers = new WeakMap<z.ZodMiniType, Serializer>();

function toSerializer(schema: z.ZodMiniType): Serializer {
  const kept = serializers.get(schema);
  if (kept) return kept;
  const jsonSchema = z.toJSONSchema(schema, { target: "draft-07", unrepresentable: "any" });
  const made = fastJson(jsonSchema as fastJson.Schema);
  serializers.set(schema, made);
  return made;
}

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
  app.setSerializerCompiler(({ schema }) => toSerializer(schema as z.ZodMiniType));
  return app.withTypeProvider<ZodTypeProvider>();
}
