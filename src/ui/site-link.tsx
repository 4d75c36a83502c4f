import type { ReactNode } from "react";
import { Link } from "react-router";

/** Pages that the browser app can move between by itself (src/public-pages.ts); any other is loaded as a document. */
const SOFT = /^\/(cv|contact|dev|terms|privacy)$/;

interface SiteLinkProps {
  /** Path without the language prefix: the router's basename adds it. */
  to: string;
  className?: string;
  /** The link leads to the page that it stands on. */
  isCurrent?: boolean;
  children: ReactNode;
}

/** A link to another public page in the same language. */
export function SiteLink({ to, className, isCurrent, children }: SiteLinkProps) {
  return (
    <Link
      to={to}
      reloadDocument={!SOFT.test(to)}
      aria-current={isCurrent ? "page" : undefined}
      {...(className && { className })}
    >
      {children}
    </Link>
  );
}
