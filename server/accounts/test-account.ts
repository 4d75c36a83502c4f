import type { Account } from "./account.ts";

/** An account as the store reads it. */
export const ACCOUNT: Account = {
  id: 7,
  username: "ada",
  email: "ada@example.org",
  pending_email: null,
  first_name: "Ada",
  last_name: "Lovelace",
  is_active: true,
  is_email_verified: true,
  admission: "admitted",
  admin_theme: "auto",
  admin_language: "en",
  bio: "",
  avatar: null,
  cover: null,
  voice_preferences: {},
  notification_preferences: {},
  privacy_settings: {},
  second_factor_due_at: null,
  last_admin_login_at: null,
  created_at: "2026-01-01T00:00:00Z",
  updated_at: "2026-01-01T00:00:00Z",
  access_level: 10,
  access_level_name: { en: "Admin", tr: "Yönetici" },
};
