import { ArrowLeftOutlined } from "@ant-design/icons";
import { type ReactNode, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Link, type To, useLocation } from "react-router";
import * as z from "zod/mini";
import { DECORATIVE } from "../ui/accessibility.ts";

export interface PageHeaderProps {
  title: string;
  text?: string;
  actions?: ReactNode;
  /** Screens between the console's home and this one, the outermost first; the last is where the back button leads. */
  parents?: readonly { label: string; to: To }[];
  /** On a phone, where rows matter more: without the way that led here; the back button and the menu know it. */
  isCompact?: boolean;
}

const historyState = z.object({ key: z.string() });
/** Key of the location that this document starts with; after a reload the browser still has the one of before. */
const FIRST_LOCATION = historyState.safeParse(globalThis.history?.state).data?.key ?? "default";

/**
 * Breadcrumb, heading and actions of a screen, and the document's title. After a move inside the console the heading takes
 * the focus, so that screen readers say where one is; a freshly loaded document keeps its own focus order.
 */
export function PageHeader({ title, text, actions, parents = [], isCompact = false }: PageHeaderProps) {
  const { t } = useTranslation();
  const heading = useRef<HTMLHeadingElement>(null);
  const { key } = useLocation();
  const back = parents.at(-1);
  const isFirst = useRef(key === FIRST_LOCATION);
  useEffect(() => {
    if (!isFirst.current) heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <header className="page-header" data-compact={isCompact || undefined}>
      <title>{`${title} · ${t("layout.brand")}`}</title>
      {!isCompact && (
        <nav aria-label={t("layout.breadcrumb")}>
          <ol className="breadcrumb">
            <li>
              <Link to="/admin">{t("layout.admin")}</Link>
            </li>
            {parents.map(({ label, to }) => (
              <li key={label}>
                <Link to={to}>{label}</Link>
              </li>
            ))}
            <li aria-current="page">{title}</li>
          </ol>
        </nav>
      )}
      <div className="page-header-row">
        <div className="page-title">
          {back && (
            <Link className="back-link" to={back.to} aria-label={t("layout.backTo", { screen: back.label })}>
              <ArrowLeftOutlined {...DECORATIVE} />
            </Link>
          )}
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
        </div>
        {actions && <div className="page-actions">{actions}</div>}
      </div>
      {text && <p className="page-text">{text}</p>}
    </header>
  );
}

export function NotFoundPage() {
  const { t } = useTranslation();
  return (
    <>
      <PageHeader title={t("errors.notFound")} text={t("errors.notFoundHelp")} />
      <p>
        <Link to="/admin">{t("layout.brand")}</Link>
      </p>
    </>
  );
}
