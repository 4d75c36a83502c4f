import type pg from "pg";
import { raiseAlert } from "#server/audit/service.ts";
import type { OpenCounter } from "#server/base/counters.ts";
import type { ContentService } from "#server/content/service.ts";
import type { ChangeFeed } from "#server/db/change-feed.ts";
import type { Queryable } from "#server/db/pool.ts";
import { createRequireLevel, type RequireLevel } from "#server/http/bearer.ts";
import type { App } from "#server/http/zod.ts";
import type { MailService, ReadMailStates } from "#server/mail/service.ts";
import type { RecordWriter } from "#server/models/record-writer.ts";
import type { Registry } from "#server/models/registry/registry.ts";
import type { Floor } from "../floor.ts";
import { createInvitationWriter } from "./admin/invitation-writer.ts";
import { createLevelEndpoints, registerLevelRoutes } from "./admin/level-routes.ts";
import { createLevelWriter } from "./admin/level-writer.ts";
import { createUserEndpoints, registerUserAdminRoutes } from "./admin/user-routes.ts";
import { createUserWriter } from "./admin/user-writer.ts";
import { type AnswerFloor, startFloor } from "./answers.ts";
import { createWaitingWatch } from "./claims/waiting.ts";
import { createCallLimits } from "./codes/limits.ts";
import { createCodes } from "./codes/store.ts";
import type { AccountDeps } from "./deps.ts";
import { createAppSealing } from "./factors/codes.ts";
import { createTickets } from "./factors/tickets.ts";
import { createPasswords, type Passwords } from "./passwords/hashing.ts";
import { createPasswordRules } from "./passwords/password-rules.ts";
import { registerVoiceUserRoutes } from "./people/routes.ts";
import { createStaffChecks, type StaffChecks } from "./people/staff.ts";
import type { AdminDeps, ProfileDeps } from "./profile/deps.ts";
import { registerProfileRoutes } from "./profile/routes.ts";
import { registerAccountRoutes } from "./routes.ts";
import { type AccountService, createAccounts, findPeople } from "./service.ts";
import { createKnownDevices } from "./sessions/devices.ts";
import { createFilePasses, createFindFileReader } from "./sessions/file-pass.ts";
import { createRequireRecent } from "./sessions/recent.ts";
import { createSessionAccounts } from "./sessions/session-accounts.ts";
import { findSession, type SessionSettings, toSessionRules } from "./sessions/store.ts";
import { createBurstCounter, createLoginLimits, type LoginLimits } from "./sign-in/limits.ts";
import { findCredentials, findPerson } from "./store.ts";
import { ACCESS_TOKEN_MINUTES, createAccessTokens } from "./tokens/access-token.ts";
import { type KeyRing, ofKeys } from "./tokens/key-ring.ts";
import { createRefreshTokens } from "./tokens/refresh-token.ts";

export interface AccountsOptions extends SessionSettings {
  pool: pg.Pool;
  feed: Pick<ChangeFeed, "subscribe" | "isLive">;
  keys: KeyRing;
  mail: Pick<MailService, "queue">;
  log: AccountDeps["log"];
  now: () => Date;
  steadyMs: () => number;
  openCounter: OpenCounter;
  passwords?: Passwords | undefined;
  limits?: LoginLimits;
  ownerEmail?: string | undefined;
  publicUrl?: string | undefined;
  factorLevel?: number | undefined;
  /** Of breach ranges; without it they aren't asked. */
  rangesUrl?: string | undefined;
  answerFloor?: AnswerFloor;
}

/** Of a name that is nobody's the site's own count alone tells. */
function createBurstAlert({ pool, log }: Pick<AccountsOptions, "pool" | "log">) {
  return async (burst: { username?: string; count: number; ipAddress: string | null }): Promise<void> => {
    const { username, count, ipAddress } = burst;
    try {
      const known = username === undefined ? undefined : await findCredentials(pool, username);
      if (username !== undefined && !known) return;
      await raiseAlert(pool, { kind: "failed_log_ins", userId: known?.id ?? null, count, ipAddress });
    } catch (error) {
      log.warn({ err: error }, "an alert about failed log-ins could not be written");
    }
  };
}

/** Opens what all calls of accounts share. */
export function openAccountDeps(options: AccountsOptions): AccountDeps {
  const { pool, feed, log, keys, mail, steadyMs, openCounter } = options;
  const clock = () => options.now().getTime();
  const rules = toSessionRules(options);
  return {
    pool,
    mail,
    log,
    clock,
    steadyMs,
    openCounter,
    passwords: options.passwords ?? createPasswords(),
    passwordRules: createPasswordRules(options),
    limits: options.limits ?? createLoginLimits(openCounter),
    bursts: createBurstCounter(openCounter, createBurstAlert(options)),
    callLimits: createCallLimits(openCounter),
    accessTokens: ofKeys(keys, (now) =>
      createAccessTokens(now, clock, options.accessTokenMinutes ?? ACCESS_TOKEN_MINUTES),
    ),
    refreshTokens: ofKeys(keys, createRefreshTokens),
    knownDevices: ofKeys(keys, createKnownDevices),
    filePasses: ofKeys(keys, (now) => createFilePasses(now, clock)),
    tickets: ofKeys(keys, (now) => createTickets(now, clock)),
    sealing: ofKeys(keys, createAppSealing),
    factorLevel: options.factorLevel,
    codes: ofKeys(keys, createCodes),
    sessionAccounts: createSessionAccounts({
      load: (id) => findSession(pool, id),
      feed,
      clock,
      rules,
      factorLevel: options.factorLevel,
    }),
    sessionRules: rules,
    listStaff: createStaffChecks(options.ownerEmail).listStaff,
    answerFloor: options.answerFloor ?? startFloor,
  };
}

export interface AccountOptions {
  /** Hashing at less than its cost, for tests. */
  passwords?: Passwords;
}

interface OpenedAccounts extends Pick<Floor, "requireLevel" | "requireRecent"> {
  /** Whose request for a file it is. */
  findFileReader: ReturnType<typeof createFindFileReader>;
  service: AccountService;
  deps: AccountDeps;
  findPeople: typeof findPeople;
  findPerson: typeof findPerson;
  staffChecks: StaffChecks;
  /** The writers of the console's models of accounts, once it is known what goes with a person. */
  createWriters(belongings: Omit<AdminDeps, "accounts">): ReadonlyMap<string, RecordWriter>;
}

/** Accounts: log-in, tokens, registration. Who may ask is known from here on. */
export function openAccounts(
  app: App,
  floor: Omit<Floor, "requireLevel" | "requireRecent">,
  options: AccountOptions & { keys: KeyRing; mail: Pick<MailService, "queue"> },
): OpenedAccounts {
  const {
    accessTokenMinutes,
    sessionDays,
    consoleIdleHours,
    publicUrl,
    ownerEmail,
    breachedPasswordsUrl: rangesUrl,
    secondFactorLevel: factorLevel,
  } = floor.config;
  const { keys, mail, passwords } = options;
  const deps = openAccountDeps({
    ...floor,
    keys,
    mail,
    passwords,
    accessTokenMinutes,
    sessionDays,
    consoleIdleHours,
    ownerEmail,
    publicUrl,
    rangesUrl,
    factorLevel,
  });
  const watch = createWaitingWatch(deps);
  app.addHook("onListen", async () => watch.start());
  app.addHook("onClose", watch.close);
  app.addHook("onClose", deps.bursts.close);
  const accounts = createAccounts(deps);
  const requireLevel = createRequireLevel(accounts.authenticate);
  registerAccountRoutes(app, { deps, accounts, requireLevel, publicUrl });
  return {
    service: accounts,
    deps,
    requireLevel,
    requireRecent: createRequireRecent(deps),
    findFileReader: createFindFileReader(accounts.authenticate, deps),
    findPeople,
    findPerson,
    staffChecks: createStaffChecks(ownerEmail),
    createWriters: (belongings) => createAccountWriters({ ...belongings, accounts: deps }, publicUrl),
  };
}

/** People: their own profile, the console's endpoints for them, and how people in voice rooms see each other. */
export function openPeople(
  app: App,
  floor: Floor,
  deps: Omit<ProfileDeps, "limits" | "uploadGate"> & {
    content: ContentService;
    readMailStates: ReadMailStates;
  },
): void {
  const { pool, requireLevel, config } = floor;
  const { content, readMailStates, ...profile } = deps;
  registerAccountAdminRoutes(app, { ...floor, db: pool, content, readMailStates, accounts: deps.accounts });
  registerProfileRoutes(app, { ...profile, requireLevel });
  const { accessTokenMinutes } = config;
  registerVoiceUserRoutes(app, { accounts: deps.accounts, requireLevel, accessTokenMinutes });
}

function requireNumber(registry: Registry, key: string): number {
  const model = registry.byKey.get(key);
  if (!model) throw new Error(`${key} is no declared model.`);
  return model.contentTypeId;
}

/** The documented endpoints of the user admin service, and the users of the admin service. */
function registerAccountAdminRoutes(
  app: App,
  deps: {
    db: Queryable;
    content: ContentService;
    registry: Registry;
    readMailStates: ReadMailStates;
    accounts: AccountDeps;
    requireLevel: RequireLevel;
  },
): void {
  const { db, content, registry, readMailStates, accounts, requireLevel } = deps;
  const userType = requireNumber(registry, "accounts.user");
  const levelType = requireNumber(registry, "accounts.access_level");
  registerUserAdminRoutes(app, {
    users: createUserEndpoints({ db, content, readMailStates, contentTypeId: userType }),
    accounts,
    requireLevel,
  });
  registerLevelRoutes(app, {
    levels: createLevelEndpoints({ content, contentTypeId: levelType }),
    requireLevel,
  });
}

/** The writers of the models of accounts, by their keys: the engine of content asks them, and no other rules hold at any endpoint. */
function createAccountWriters(
  deps: AdminDeps,
  publicUrl: string | undefined,
): ReadonlyMap<string, RecordWriter> {
  return new Map([
    ["accounts.user", createUserWriter(deps)],
    ["accounts.access_level", createLevelWriter(deps)],
    ["accounts.invitation", createInvitationWriter({ publicUrl, clock: deps.accounts.clock })],
  ]);
}
