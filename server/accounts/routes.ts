import type { FastifyRequest } from "fastify";
import * as z from "zod/mini";
import { ACCESS_LEVEL } from "#contract/access-levels.ts";
import { accountUser, loginAnswer, loginRequest, refreshAnswer, refreshRequest } from "#contract/accounts.ts";
import { type RequireLevel, requireActor, SIGNED_IN } from "#server/http/bearer.ts";
import { AppError } from "#server/http/errors.ts";
import { noStore } from "#server/http/no-store.ts";
import { getApiLanguage } from "#server/http/request-language.ts";
import type { App } from "#server/http/zod-compiler.ts";
import type { Client } from "./account.ts";
import type { AccountService } from "./service.ts";

const tags = ["accounts"];

function toClient(request: FastifyRequest): Client {
  return {
    ipAddress: request.ip,
    userAgent: request.headers["user-agent"] ?? null,
    requestId: request.id,
  };
}

function isBlank(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === "string" && value.trim() === "");
}

/** The documented texts of blank fields (specification A section 5), before the schema speaks in general ones. */
async function requireCredentials(request: FastifyRequest): Promise<void> {
  const body = typeof request.body === "object" && request.body !== null ? request.body : {};
  const given: Record<string, unknown> = { ...body };
  const fields = ["username", "password"]
    .filter((field) => isBlank(given[field]))
    .map((field) => ({ field, code: `${field}_required` }));
  if (fields.length > 0) throw new AppError("validation_failed", { fields });
}

/** Log-in, tokens and the signed-in person (specification A section 7). */
export function registerAccountRoutes(
  app: App,
  parts: { accounts: AccountService; requireLevel: RequireLevel },
): void {
  const { accounts, requireLevel } = parts;

  for (const [url, summary] of [
    ["/api/users/login/", "Log in"],
    ["/api/auth/token/", "Obtain tokens"],
  ] as const) {
    app.post(
      url,
      {
        onRequest: noStore,
        preValidation: requireCredentials,
        schema: { tags, summary, body: loginRequest, response: { 200: loginAnswer } },
      },
      (request) => accounts.signIn(request.body, toClient(request), getApiLanguage(request)),
    );
  }

  app.post(
    "/api/auth/token/refresh/",
    {
      onRequest: noStore,
      schema: { tags, summary: "Renew tokens", body: refreshRequest, response: { 200: refreshAnswer } },
    },
    (request) => accounts.refresh(request.body.refresh, toClient(request)),
  );

  app.post(
    "/api/users/logout/",
    {
      onRequest: noStore,
      schema: { tags, summary: "Log out", body: refreshRequest, response: { 204: z.null() } },
    },
    async (request, reply) => {
      await accounts.signOut(request.body.refresh, toClient(request));
      return reply.code(204).send(null);
    },
  );

  app.get(
    "/api/users/me/",
    {
      onRequest: noStore,
      preHandler: requireLevel(ACCESS_LEVEL.guest),
      schema: { tags, security: SIGNED_IN, summary: "The signed-in person", response: { 200: accountUser } },
    },
    (request) => accounts.getMe(requireActor(request), getApiLanguage(request)),
  );
}
