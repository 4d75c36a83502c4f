import {
  ACCESS_LEVEL,
  type AccountProfile,
  type AccountUser,
  hasAdminAccess,
  type NotificationPreferences,
  notificationPreferences,
  type PrivacySettings,
  privacySettings,
  type VoicePreferences,
  voicePreferences,
} from "#contract/accounts/accounts.ts";
import type { Admission } from "#contract/accounts/admin-users.ts";
import { type Language, type LocalizedText, pickText } from "#contract/languages.ts";
import type { Actor } from "#server/base/actor.ts";

/** An account as the store reads it: the row with its access level, without the password's hash. */
export interface Account {
  id: number;
  username: string;
  email: string;
  /** A new address that waits for its code. */
  pending_email: string | null;
  first_name: string;
  last_name: string;
  is_active: boolean;
  is_email_verified: boolean;
  admission: Admission;
  admin_theme: AccountUser["profile"]["admin_theme"];
  admin_language: Language | null;
  bio: string;
  /** Keys in the storage of pictures. */
  avatar: string | null;
  cover: string | null;
  voice_preferences: Partial<VoicePreferences>;
  notification_preferences: Partial<NotificationPreferences>;
  privacy_settings: Partial<PrivacySettings>;
  /** Until when the console stays open without a second factor; null while none is owed. */
  second_factor_due_at: string | null;
  last_admin_login_at: string | null;
  created_at: string;
  updated_at: string;
  access_level: number;
  access_level_name: LocalizedText;
}

/** Where pictures of people are served. */
export const PORTRAIT_PREFIX = "/pictures/people/";

/** Where a call came from. */
export interface Client {
  ipAddress: string | null;
  userAgent: string | null;
  requestId: string | null;
}

/** First and last name (specification A section 2.10); the username where there are none. */
export function toDisplayName(account: Pick<Account, "first_name" | "last_name" | "username">): string {
  return `${account.first_name} ${account.last_name}`.trim() || account.username;
}

/** The documented shape of the signed-in person (specification A section 3). */
export function toAccountUser(account: Account, lang: Language): AccountUser {
  return {
    id: account.id,
    username: account.username,
    email: account.email,
    display_name: toDisplayName(account),
    access_level: account.access_level,
    access_level_name: pickText(account.access_level_name, lang),
    is_email_verified: account.is_email_verified,
    is_staff: hasAdminAccess(account.access_level),
    second_factor_due_at: account.second_factor_due_at,
    profile: toAccountProfile(account),
  };
}

/** The documented profile; preferences that were never chosen have their defaults. */
export function toAccountProfile(account: Account): AccountProfile {
  return {
    bio: account.bio,
    avatar: account.avatar && `${PORTRAIT_PREFIX}${account.avatar}`,
    cover: account.cover && `${PORTRAIT_PREFIX}${account.cover}`,
    first_name: account.first_name,
    last_name: account.last_name,
    voice_preferences: voicePreferences.parse(account.voice_preferences),
    notification_preferences: notificationPreferences.parse(account.notification_preferences),
    privacy_settings: privacySettings.parse(account.privacy_settings),
    admin_theme: account.admin_theme,
    admin_language: account.admin_language,
    can_access_admin: hasAdminAccess(account.access_level),
    is_superuser: account.access_level === ACCESS_LEVEL.superuser,
    last_admin_login: account.last_admin_login_at,
    created_at: account.created_at,
    updated_at: account.updated_at,
  };
}

/** Who an audit entry of an account's own doing is attributed to. */
export function toActor(
  account: Pick<Account, "id" | "username" | "access_level">,
  client: Client,
): Actor & { userId: number; username: string } {
  return {
    userId: account.id,
    username: account.username,
    level: account.access_level,
    ipAddress: client.ipAddress,
    requestId: client.requestId,
  };
}

/** The language of mails to a person. */
export function toMailLanguage({ admin_language }: Pick<Account, "admin_language">): Language {
  return admin_language ?? "en";
}
