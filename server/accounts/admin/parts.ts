import type { ProfileParts } from "../profile/deps.ts";

/** What the console's writes of accounts work with. */
export type AdminParts = Pick<ProfileParts, "accounts" | "portraits" | "mail" | "deleteForgottenMailFiles">;
