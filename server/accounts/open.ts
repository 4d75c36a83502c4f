import type { ContentService } from "#server/content/service.ts";
import type { Queryable } from "#server/db/pool.ts";
import { createRequireLevel, type RequireLevel } from "#server/http/bearer.ts";
import type { App } from "#server/http/zod.ts";
import type { MailService, ReadMailStates } from "#server/mail/service.ts";
import type { RecordWriter } from "#server/models/record-writer.ts";
import type { Registry } from "#server/models/registry/registry.ts";
import type { Floor } from "../floor.ts";
import { createLevelDoors, registerLevelRoutes } from "./admin/level-routes.ts";
import { createLevelWriter } from "./admin/level-writer.ts";
import { createUserDoors, registerUserAdminRoutes } from "./admin/user-routes.ts";
import { createUserWriter } from "./admin/user-writer.ts";
import { type AccountParts, openAccountParts } from "./deps.ts";
import type { Passwords } from "./passwords/hashing.ts";
import { registerVoiceUserRoutes } from "./people/routes.ts";
import { createStaffChecks, type StaffChecks } from "./people/staff.ts";
import type { AdminParts, ProfileParts } from "./profile/deps.ts";
import { registerProfileRoutes } from "./profile/routes.ts";
import { registerAccountRoutes } from "./routes.ts";
import { type AccountService, createAccounts, findPeople } from "./service.ts";
import { findPerson } from "./store.ts";
import type { SigningKeys } from "./tokens/keys.ts";

export interface AccountOptions {
  /** Of the link that makes the owner's account, printed at start; without it no such link is good. */
  setupToken?: string;
  /** Hashing at less than its cost, for tests. */
  passwords?: Passwords;
}

interface OpenedAccounts extends Pick<Floor, "requireLevel"> {
  service: AccountService;
  deps: AccountParts;
  findPeople: typeof findPeople;
  findPerson: typeof findPerson;
  staffChecks: StaffChecks;
  /** Who writes the console's models of accounts, once it is known what goes with a person. */
  createWriters(belongings: Omit<AdminParts, "accounts">): ReadonlyMap<string, RecordWriter>;
}

/** Accounts: log-in, tokens, registration. Who may ask is known from here on. */
export function openAccounts(
  app: App,
  floor: Omit<Floor, "requireLevel">,
  options: AccountOptions & { keys: SigningKeys; mail: Pick<MailService, "queue"> },
): OpenedAccounts {
  const { accessTokenMinutes, publicUrl, ownerEmail } = floor.config;
  const { keys, mail, setupToken, passwords } = options;
  const parts = openAccountParts({ ...floor, keys, mail, setupToken, passwords, accessTokenMinutes });
  const accounts = createAccounts(parts);
  const requireLevel = createRequireLevel(accounts.authenticate);
  registerAccountRoutes(app, { parts, accounts, requireLevel, publicUrl });
  return {
    service: accounts,
    deps: parts,
    requireLevel,
    findPeople,
    findPerson,
    staffChecks: createStaffChecks(ownerEmail),
    createWriters: (belongings) => createAccountWriters({ ...belongings, accounts: parts }),
  };
}

/** People: their own profile, the console's endpoints for them, and how people in voice rooms see each other. */
export function openPeople(
  app: App,
  floor: Floor,
  deps: Omit<ProfileParts, "limits" | "uploadGate"> & {
    content: ContentService;
    readMailStates: ReadMailStates;
  },
): void {
  const { pool, requireLevel, config } = floor;
  const { content, readMailStates, ...profile } = deps;
  registerAccountAdminRoutes(app, { ...floor, db: pool, content, readMailStates });
  registerProfileRoutes(app, { ...profile, requireLevel });
  const { accessTokenMinutes } = config;
  registerVoiceUserRoutes(app, { accounts: deps.accounts, requireLevel, accessTokenMinutes });
}

function requireNumber(registry: Registry, key: string): number {
  const model = registry.byKey.get(key);
  if (!model) throw new Error(`${key} is no declared model.`);
  return model.contentTypeId;
}

/** The documented doors of the user admin service, and the users of the admin service. */
function registerAccountAdminRoutes(
  app: App,
  parts: {
    db: Queryable;
    content: ContentService;
    registry: Registry;
    readMailStates: ReadMailStates;
    requireLevel: RequireLevel;
  },
): void {
  const { db, content, registry, readMailStates, requireLevel } = parts;
  const userType = requireNumber(registry, "accounts.user");
  const levelType = requireNumber(registry, "accounts.access_level");
  registerUserAdminRoutes(app, {
    users: createUserDoors({ db, content, readMailStates, contentTypeId: userType }),
    requireLevel,
  });
  registerLevelRoutes(app, { levels: createLevelDoors({ content, contentTypeId: levelType }), requireLevel });
}

/** Who writes the models of accounts, by their keys: the engine of content asks them, and no other rules hold at any door. */
function createAccountWriters(parts: AdminParts): ReadonlyMap<string, RecordWriter> {
  return new Map([
    ["accounts.user", createUserWriter(parts)],
    ["accounts.access_level", createLevelWriter(parts)],
  ]);
}
