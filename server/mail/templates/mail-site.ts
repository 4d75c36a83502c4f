import type { Language } from "#contract/languages.ts";
import { toLine } from "../content.ts";
import { fill, MAIL_TEXTS } from "./mail-text.ts";

/**
 * What a mail says of its site. `name` is whose site it is, perhaps empty; `origin` has no trailing slash; `stopUrl` is that of
 * this message.
 */
export interface MailSite {
  name: string;
  origin: string;
  stopUrl: string;
}

export function toHost({ origin }: Pick<MailSite, "origin">): string {
  return new URL(origin).host;
}

/** A number, or this very machine: nothing that tells a reader whose site it is. */
const NAMELESS_HOST = /^([\d.]+|\[.*\]|localhost)$/;

/** How sentences call the site: by its host, which people can compare with the address bar, else as that of its owner. */
export function toSiteName(site: MailSite, language: Language): string {
  const name = toLine(site.name);
  const isNameless = NAMELESS_HOST.test(new URL(site.origin).hostname);
  return isNameless && name ? fill(MAIL_TEXTS[language].layout.siteOf, { name }) : toHost(site);
}

/** A page in the language of the mail. */
export function toPageAddress(
  { origin }: Pick<MailSite, "origin">,
  language: Language,
  path: string,
): string {
  return `${origin}/${language}${path}`;
}

/** What texts about somebody's account say of it. */
export function toPersonVars(
  mail: { username: string; recipient: string; language: Language },
  site: MailSite,
): { site: string; username: string; address: string } {
  return {
    site: toSiteName(site, mail.language),
    username: toLine(mail.username),
    address: toLine(mail.recipient),
  };
}
