import type { ContentService } from "#server/content/service.ts";
import type { Floor } from "#server/floor.ts";
import { createRequireLevel } from "#server/http/bearer.ts";
import type { App } from "#server/http/zod.ts";
import type { MailService, ReadMailStates } from "#server/mail/service.ts";
import type { RecordWriter } from "#server/models/record-writer.ts";
import type { AdminParts } from "./admin/parts.ts";
import { registerAccountAdminRoutes } from "./admin/routes.ts";
import { createAccountWriters } from "./admin/writers.ts";
import type { AccountParts } from "./deps.ts";
import { findPerson } from "./find-person.ts";
import { openAccountParts } from "./open-parts.ts";
import type { Passwords } from "./passwords/hashing.ts";
import { registerVoiceUserRoutes } from "./people/routes.ts";
import { createStaffChecks, type StaffChecks } from "./people/staff.ts";
import type { ProfileParts } from "./profile/deps.ts";
import { registerProfileRoutes } from "./profile/routes.ts";
import { registerAccountRoutes } from "./routes.ts";
import { type AccountService, createAccounts } from "./service.ts";
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
