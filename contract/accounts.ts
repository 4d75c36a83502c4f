import * as z from "zod/mini";

/** POST /api/users/login/ and /api/auth/token/. */
export const loginRequest = z.object({
  username: z.string().check(z.trim(), z.minLength(1), z.maxLength(254)),
  password: z.string().check(z.minLength(1), z.maxLength(256)),
});
export type LoginRequest = z.infer<typeof loginRequest>;

/** The signed-in person (specification A section 3, auth user). */
export const accountUser = z.object({
  id: z.number(),
  username: z.string(),
  email: z.string(),
  display_name: z.string(),
  access_level: z.number(),
  access_level_name: z.string(),
  is_email_verified: z.boolean(),
  profile: z.object({
    first_name: z.string(),
    last_name: z.string(),
    can_access_admin: z.boolean(),
    is_superuser: z.boolean(),
    admin_theme: z.enum(["light", "dark", "auto"]),
    admin_language: z.enum(["en", "tr"]),
  }),
});
export type AccountUser = z.infer<typeof accountUser>;

export const loginAnswer = z.object({
  tokens: z.object({ access_token: z.string(), refresh_token: z.string() }),
  user: accountUser,
});
export type LoginAnswer = z.infer<typeof loginAnswer>;

/** POST /api/auth/token/refresh/. The answer's `refresh` replaces the one that was spent. */
export const refreshRequest = z.object({ refresh: z.string().check(z.minLength(1), z.maxLength(512)) });
export const refreshAnswer = z.object({ access: z.string(), refresh: z.optional(z.string()) });
export type RefreshAnswer = z.infer<typeof refreshAnswer>;
