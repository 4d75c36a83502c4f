import swagger from "@fastify/swagger";
import swaggerUi from "@fastify/swagger-ui";
import type { FastifyInstance } from "fastify";
import { jsonSchemaTransform } from "fastify-type-provider-zod";
import type * as z from "zod/mini";
import * as zod from "zod/mini";
import { errorEnvelope } from "#contract/errors.ts";
import { NO_PERMISSIONS } from "./pages/policies.ts";

/** Named schemas beside those of the routes: one for each content model. */
export type NamedSchemas = Readonly<Record<string, z.ZodMiniType>>;

function toJson(schema: z.ZodMiniType): object {
  return zod.toJSONSchema(schema, { target: "draft-2020-12", unrepresentable: "any", io: "input" });
}

/** Every operation may answer the error envelope. */
const withErrors: typeof jsonSchemaTransform = (route) => {
  const { schema, url } = jsonSchemaTransform(route);
  const described = schema as { response?: object; hide?: boolean };
  if (described.hide) return { schema, url };
  const error = { description: "The documented error", ...toJson(errorEnvelope) };
  return {
    schema: { ...described, response: { ...described.response, default: error } } as typeof schema,
    url,
  };
};

/** OpenAPI 3.1 at `/api/openapi.json` and a readable page at `/api/docs`, from the schemas that check requests. */
export async function registerOpenApi(
  app: FastifyInstance,
  version: string,
  named: NamedSchemas,
): Promise<void> {
  const schemas = Object.fromEntries(Object.entries(named).map(([name, schema]) => [name, toJson(schema)]));
  await app.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: {
        title: "Foyer",
        version,
        description: "A personal site: CV, accounts, and an administration console.",
      },
      components: {
        securitySchemes: { bearer: { type: "http", scheme: "bearer", bearerFormat: "JWT" } },
        // The plugin's types know OpenAPI 3.0's schemas; 3.1 takes JSON Schema as it is.
        schemas: schemas as never,
      },
    },
    transform: withErrors,
  });
  await app.register(swaggerUi, {
    routePrefix: "/api/docs",
    staticCSP: true,
    // The site may be on plain HTTP in a home network: there an upgrade would load nothing.
    transformStaticCSP: (policy) => policy.replace("upgrade-insecure-requests;", ""),
    uiConfig: { docExpansion: "list" },
    uiHooks: {
      onRequest: async (_request, reply) => void reply.header("Permissions-Policy", NO_PERMISSIONS),
    },
  });
  app.get("/api/openapi.json", { schema: { hide: true } }, () => app.swagger());
}
