import type { ReadActor, RequireLevel } from "#server/http/bearer.ts";
import type { AccountParts } from "./deps.ts";

/** What the routes of accounts are made from. */
export interface RouteParts {
  parts: AccountParts;
  requireLevel: RequireLevel;
  readActor: ReadActor;
  /** Decides whether cookies are for HTTPS alone; undefined: the request does. */
  publicUrl: string | undefined;
}

export const tags = ["accounts"];
