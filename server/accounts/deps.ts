import type pg from "pg";
import type { OpenCounter } from "#server/base/counters.ts";
import type { Sealing } from "#server/base/sealing.ts";
import type { ReadActor, RequireLevel } from "#server/http/bearer.ts";
import type { MailService } from "#server/mail/service.ts";
import type { AnswerFloor } from "./answers.ts";
import type { CallLimits } from "./codes/limits.ts";
import type { Codes } from "./codes/store.ts";
import type { Tickets } from "./factors/tickets.ts";
import type { Passwords } from "./passwords/hashing.ts";
import type { PasswordRules } from "./passwords/password-rules.ts";
import type { StaffChecks } from "./people/staff.ts";
import type { KnownDevices } from "./sessions/devices.ts";
import type { FilePasses } from "./sessions/file-pass.ts";
import type { SessionAccounts } from "./sessions/session-accounts.ts";
import type { SessionRules } from "./sessions/store.ts";
import type { BurstCounter, LoginLimits } from "./sign-in/limits.ts";
import type { AccessTokens } from "./tokens/access-token.ts";
import type { RefreshTokens } from "./tokens/refresh-token.ts";

/** What the calls of accounts work with. */
export interface AccountDeps {
  pool: pg.Pool;
  mail: Pick<MailService, "queue">;
  passwords: Passwords;
  passwordRules: PasswordRules;
  limits: LoginLimits;
  bursts: BurstCounter;
  callLimits: CallLimits;
  accessTokens: AccessTokens;
  refreshTokens: RefreshTokens;
  knownDevices: KnownDevices;
  filePasses: FilePasses;
  tickets: Tickets;
  /** Hides secrets of authenticator apps. */
  sealing: Sealing;
  /** From which access level on a second factor is needed; undefined: from none. */
  factorLevel: number | undefined;
  codes: Codes;
  sessionAccounts: SessionAccounts;
  sessionRules: SessionRules;
  /** Who decides about people who wait. */
  listStaff: StaffChecks["listStaff"];
  log: { warn(details: object, message: string): void };
  /** Milliseconds since 1970. */
  clock: () => number;
  /** Of the floor. */
  steadyMs: () => number;
  /** The same. */
  openCounter: OpenCounter;
  /** Calls whose time must not show whether there is an account answer after this. */
  answerFloor: AnswerFloor;
}

/** What the routes of accounts are made from. */
export interface RouteDeps {
  deps: AccountDeps;
  requireLevel: RequireLevel;
  readActor: ReadActor;
  /** Decides whether cookies are for HTTPS alone; undefined: the request does. */
  publicUrl: string | undefined;
}

export const tags = ["accounts"];
