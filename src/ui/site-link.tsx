import type { ReactNode } from "react";
import { Link } from "react-router";

interface SiteLinkProps {
  /** Path without the language prefix: the router's basename adds it. */
  to: string;
  className?: string;
  children: ReactNode;
}

/** A link to another public page in the same language. It loads the page as a document, with its own data and head. */
export function SiteLink({ to, className, children }: SiteLinkProps) {
  return (
    <Link to={to} reloadDocument {...(className && { className })}>
      {children}
    </Link>
  );
}
