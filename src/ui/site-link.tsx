import type { ReactNode } from "react";
import { Link } from "react-router";
import { findMove } from "#contract/site/pages.ts";
import { usePage } from "./page-context.tsx";

interface SiteLinkProps {
  /** Path without the language prefix: the router's basename adds it. */
  to: string;
  className?: string;
  children: ReactNode;
}

/**
 * A link to a public page in the same language. The browser moves there by itself where it may (contract/site/pages.ts), else
 * a document is loaded; so it is for one to the page that is shown.
 */
export function SiteLink({ to, className, children }: SiteLinkProps) {
  const { path } = usePage();
  return (
    <Link
      to={to}
      reloadDocument={to === path || !findMove(path, to)}
      aria-current={to === path ? "page" : undefined}
      {...(className && { className })}
    >
      {children}
    </Link>
  );
}
