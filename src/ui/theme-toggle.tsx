import { usePage } from "./page-context.tsx";

/** Switches between light and dark. The loader acts on it (ui/loader/theme.ts); CSS shows the icon and name that fit. */
export function ThemeToggle() {
  const { t } = usePage();
  return (
    <button className="icon-button needs-script" type="button" data-theme-toggle>
      <svg className="when-light" viewBox="0 0 24 24" aria-hidden="true">
        <path d="M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5Z" />
      </svg>
      <svg className="when-dark" viewBox="0 0 24 24" aria-hidden="true">
        <circle cx="12" cy="12" r="4.2" />
        <path d="M12 2.5v2.6M12 18.9v2.6M2.5 12h2.6M18.9 12h2.6M5.3 5.3l1.8 1.8M16.9 16.9l1.8 1.8M18.7 5.3l-1.8 1.8M7.1 16.9l-1.8 1.8" />
      </svg>
      <span className="visually-hidden when-light">{t("site:layout.toDark")}</span>
      <span className="visually-hidden when-dark">{t("site:layout.toLight")}</span>
    </button>
  );
}
