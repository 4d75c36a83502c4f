import type pg from "pg";
import type { Language } from "#contract/languages.ts";
import type { SiteService } from "#server/site/service.ts";
import { selectSuperuser } from "./store.ts";

/** Where messages go, and in which language. */
export interface Owner {
  recipient: string;
  language: Language;
}

/**
 * Finds the owner: at `OWNER_EMAIL`, else at the address that the site shows, else at that of the oldest superuser.
 * Sample content shows an address too, which is nobody's.
 */
export function createFindOwner(parts: {
  pool: pg.Pool;
  site: Pick<SiteService, "getSite">;
  ownerEmail: string | undefined;
  log: { warn(message: string): void };
}): () => Promise<Owner | undefined> {
  const { pool, site, ownerEmail, log } = parts;
  let hasWarned = false;
  return async () => {
    const superuser = await selectSuperuser(pool);
    const language = superuser?.admin_language ?? "en";
    const shown = await site.getSite(language);
    const recipient = ownerEmail ?? (shown.has_sample ? null : shown.email) ?? superuser?.email;
    if (recipient) return { recipient, language };
    if (!hasWarned) {
      log.warn(
        "messages of visitors are stored but mailed to nobody: set OWNER_EMAIL, or make yourself the owner",
      );
      hasWarned = true;
    }
    return undefined;
  };
}
