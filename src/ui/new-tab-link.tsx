import type { ReactNode } from "react";
import { usePage } from "./page-context.tsx";

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
