import type { ReactNode } from "react";
import { Link } from "react-router";
import { findMove } from "#contract/site/pages.ts";
import type { PageLink as PageLinkInfo, SiteInfo } from "#contract/site/site.ts";
import { usePage } from "./page-context.tsx";

/** Whether an address leads to a page of the web, with everything that it takes. */
export function isHttpAddress(address: string): boolean {
  return URL.canParse(address) && /^https?:$/.test(new URL(address).protocol);
}

/** An address that may stand in `href`: http or https, or a path on this site. Anything else stays text. */
export function toWebAddress(address: string | null): string | null {
  if (!address) return null;
  if (address.startsWith("/") && !/^\/[/\\]/.test(address)) return address;
  return isHttpAddress(address) ? address : null;
}

/** The part of an address that people read: no scheme, no `www.`, no slash at the end. */
export function toShortAddress(address: string): string {
  return address.replace(/^https?:\/\/(www\.)?/, "").replace(/\/$/, "");
}

export interface SocialLink {
  name: string;
  href: string;
}

/** The networks that the site names, in their order; one without an address that may be linked is left out. */
export function toSocialLinks({ github, linkedin, steam }: SiteInfo): SocialLink[] {
  const networks = [
    ["GitHub", github],
    ["LinkedIn", linkedin],
    ["Steam", steam],
  ] as const;
  return networks.flatMap(([name, address]) => {
    const href = toWebAddress(address);
    return href ? [{ name, href }] : [];
  });
}

interface SiteLinkProps {
  /** Path without the language prefix: the router's basename adds it. */
  to: string;
  className?: string | undefined;
  /** Language of what it says, where that isn't the page's. */
  lang?: string | null;
  children: ReactNode;
}

/**
 * A link to a public page in the same language. The browser moves there by itself where it may (contract/site/pages.ts), else
 * a document is loaded; so it is for one to the page that is shown.
 */
export function SiteLink({ to, className, lang, children }: SiteLinkProps) {
  const { path } = usePage();
  return (
    <Link
      to={to}
      reloadDocument={to === path || !findMove(path, to)}
      aria-current={to === path ? "page" : undefined}
      {...(className && { className })}
      {...(lang && { lang })}
    >
      {children}
    </Link>
  );
}

/** A link to a page of text, by its title. */
export function PageLink({ page, className }: { page: PageLinkInfo; className?: string }) {
  return (
    <SiteLink to={`/${page.slug}`} className={className} lang={page.lang}>
      {page.title}
    </SiteLink>
  );
}

/** A link that opens a new tab and says so. */
export function NewTabLink({ href, children }: { href: string; children: ReactNode }) {
  const { t } = usePage();
  return (
    <a href={href} target="_blank" rel="noreferrer">
      {children}
      <span aria-hidden="true"> ↗</span>
      <span className="visually-hidden"> ({t("site:layout.opensInNewTab")})</span>
    </a>
  );
}
