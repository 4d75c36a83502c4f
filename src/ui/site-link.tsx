import type { ReactNode } from "react";
import { Link } from "react-router";
import { usePage } from "./page-context.tsx";

/** Pages that the browser app can move between by itself (src/public-pages.ts); any other is loaded as a document. */
const SOFT = /^\/(cv|contact|dev|terms|privacy)$/;

interface SiteLinkProps {
  /** Path without the language prefix: the router's basename adds it. */
  to: string;
  className?: string;
  children: ReactNode;
}

/** A link to a public page in the same language. One to the page that is shown loads it anew, as links do. */
export function SiteLink({ to, className, children }: SiteLinkProps) {
  const { path } = usePage();
  return (
    <Link
      to={to}
      reloadDocument={to === path || !SOFT.test(to)}
      aria-current={to === path ? "page" : undefined}
      {...(className && { className })}
    >
      {children}
    </Link>
  );
}
