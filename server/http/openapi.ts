import swagger from "@fastify/swagger";
import swaggerUi from "@fastify/swagger-ui";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { jsonSchemaTransform } from "fastify-type-provider-zod";
import type * as z from "zod/mini";
import * as zod from "zod/mini";
import { errorEnvelope } from "#contract/errors.ts";
import type { SignedIn } from "../base/actor.ts";
import { AppError } from "../base/errors.ts";
import { DOCS_CSP, NO_PERMISSIONS, REPORTING_ENDPOINTS } from "./pages/policies.ts";

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

declare module "fastify" {
  interface FastifyInstance {
    /** Who asks, by a token or by the console's cookie; put there by the accounts. */
    findReader?: (request: FastifyRequest) => Promise<SignedIn | undefined>;
  }
}

/** @throws AppError not_found for everybody below the level: what isn't theirs isn't there. */
function createRequireReader(app: FastifyInstance, level: number | undefined) {
  return async (request: FastifyRequest): Promise<void> => {
    if (level === undefined) return;
    const reader = await app.findReader?.(request);
    if (!reader || reader.level < level) throw new AppError("not_found");
  };
}

/** OpenAPI 3.1 at `/api/openapi.json` and a readable page at `/api/docs`, from the schemas that check requests. */
export async function registerOpenApi(
  app: FastifyInstance,
  { version, named, level }: { version: string; named: NamedSchemas; level: number | undefined },
): Promise<void> {
  const requireReader = createRequireReader(app, level);
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
    staticCSP: DOCS_CSP,
    // No picture of another site's opinion of it.
    uiConfig: { docExpansion: "list", validatorUrl: null },
    uiHooks: {
      async onRequest(request, reply) {
        reply.header("Permissions-Policy", NO_PERMISSIONS).header("Reporting-Endpoints", REPORTING_ENDPOINTS);
        await requireReader(request);
      },
    },
  });
  app.get("/api/openapi.json", { schema: { hide: true }, onRequest: requireReader }, () => app.swagger());
}
