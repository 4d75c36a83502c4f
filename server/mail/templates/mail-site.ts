/**
 * What a mail says of its site. `name` is whose site it is, perhaps empty; `origin` has no trailing slash; `stopUrl` is that of
 * this message.
 */
export interface MailSite {
  name: string;
  origin: string;
  stopUrl: string;
}

/** How sentences call the site: by its host, which people can compare with the address bar. */
export function toHost({ origin }: MailSite): string {
  return new URL(origin).host;
}
