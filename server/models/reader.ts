import type { Language } from "#contract/languages.ts";

/** Who reads: decides which fields and rows there are, and in which language they read. `userId` null: the server itself. */
export interface Reader {
  lang: Language;
  level: number;
  userId: number | null;
}
