import type { I18nProvider } from "@refinedev/core";
import { createInstance, type i18n } from "i18next";
import { initReactI18next } from "react-i18next";
import type { Language } from "#contract/languages.ts";
import enFrame from "#locales/en/admin.json" with { type: "json" };
import enAccessLevels from "#locales/en/admin-access-levels.json" with { type: "json" };
import enAudit from "#locales/en/admin-audit.json" with { type: "json" };
import enBulk from "#locales/en/admin-bulk.json" with { type: "json" };
import enCharts from "#locales/en/admin-charts.json" with { type: "json" };
import enDashboard from "#locales/en/admin-dashboard.json" with { type: "json" };
import enEmail from "#locales/en/admin-email.json" with { type: "json" };
import enMonitoring from "#locales/en/admin-email-monitoring.json" with { type: "json" };
import enEmailTimeline from "#locales/en/admin-email-timeline.json" with { type: "json" };
import enExports from "#locales/en/admin-exports.json" with { type: "json" };
import enHealth from "#locales/en/admin-health.json" with { type: "json" };
import enHistory from "#locales/en/admin-history.json" with { type: "json" };
import enJobs from "#locales/en/admin-jobs.json" with { type: "json" };
import enOrdering from "#locales/en/admin-ordering.json" with { type: "json" };
import enPalette from "#locales/en/admin-palette.json" with { type: "json" };
import enSample from "#locales/en/admin-sample.json" with { type: "json" };
import enSettings from "#locales/en/admin-settings.json" with { type: "json" };
import enShortcuts from "#locales/en/admin-shortcuts.json" with { type: "json" };
import enUsers from "#locales/en/admin-users.json" with { type: "json" };
import enMailCodes from "#locales/en/mail-codes.json" with { type: "json" };
import enStopReasons from "#locales/en/mail-stop-reasons.json" with { type: "json" };
import trFrame from "#locales/tr/admin.json" with { type: "json" };
import trAccessLevels from "#locales/tr/admin-access-levels.json" with { type: "json" };
import trAudit from "#locales/tr/admin-audit.json" with { type: "json" };
import trBulk from "#locales/tr/admin-bulk.json" with { type: "json" };
import trCharts from "#locales/tr/admin-charts.json" with { type: "json" };
import trDashboard from "#locales/tr/admin-dashboard.json" with { type: "json" };
import trEmail from "#locales/tr/admin-email.json" with { type: "json" };
import trMonitoring from "#locales/tr/admin-email-monitoring.json" with { type: "json" };
import trEmailTimeline from "#locales/tr/admin-email-timeline.json" with { type: "json" };
import trExports from "#locales/tr/admin-exports.json" with { type: "json" };
import trHealth from "#locales/tr/admin-health.json" with { type: "json" };
import trHistory from "#locales/tr/admin-history.json" with { type: "json" };
import trJobs from "#locales/tr/admin-jobs.json" with { type: "json" };
import trOrdering from "#locales/tr/admin-ordering.json" with { type: "json" };
import trPalette from "#locales/tr/admin-palette.json" with { type: "json" };
import trSample from "#locales/tr/admin-sample.json" with { type: "json" };
import trSettings from "#locales/tr/admin-settings.json" with { type: "json" };
import trShortcuts from "#locales/tr/admin-shortcuts.json" with { type: "json" };
import trUsers from "#locales/tr/admin-users.json" with { type: "json" };
import trMailCodes from "#locales/tr/mail-codes.json" with { type: "json" };
import trStopReasons from "#locales/tr/mail-stop-reasons.json" with { type: "json" };

/** One file per area; their first keys differ (locales.test.ts). */
const en = {
  ...enFrame,
  ...enUsers,
  ...enAccessLevels,
  ...enDashboard,
  ...enCharts,
  ...enAudit,
  ...enBulk,
  ...enEmail,
  ...enMonitoring,
  ...enEmailTimeline,
  ...enExports,
  ...enJobs,
  ...enSettings,
  ...enHealth,
  ...enPalette,
  ...enOrdering,
  ...enSample,
  ...enHistory,
  ...enShortcuts,
  ...enMailCodes,
  ...enStopReasons,
};
const tr = {
  ...trFrame,
  ...trUsers,
  ...trAccessLevels,
  ...trDashboard,
  ...trCharts,
  ...trAudit,
  ...trBulk,
  ...trEmail,
  ...trMonitoring,
  ...trEmailTimeline,
  ...trExports,
  ...trJobs,
  ...trSettings,
  ...trHealth,
  ...trPalette,
  ...trOrdering,
  ...trSample,
  ...trHistory,
  ...trShortcuts,
  ...trMailCodes,
  ...trStopReasons,
};

declare module "i18next" {
  interface CustomTypeOptions {
    defaultNS: "admin";
    resources: { admin: typeof en };
  }
}

/** The console's texts in both languages, ready before the first drawing. React escapes what it draws, so i18next doesn't. */
export function createI18n(lang: Language): i18n {
  const instance = createInstance();
  void instance.use(initReactI18next).init({
    lng: lang,
    fallbackLng: "en",
    defaultNS: "admin",
    ns: ["admin"],
    resources: { en: { admin: en }, tr: { admin: tr } },
    interpolation: { escapeValue: false },
    initAsync: false,
  });
  return instance;
}

/** Lets Refine's own hooks read the same texts. Refine passes a default text second or third; a key without a text gives it back. */
export function createI18nProvider(instance: i18n): I18nProvider {
  return {
    translate(key, options, defaultMessage) {
      const fallback: string = typeof options === "string" ? options : (defaultMessage ?? key);
      if (!instance.exists(key)) return fallback;
      // Refine's keys are plain strings; `exists` has just checked this one.
      return String(instance.t(key as "nav.models", typeof options === "object" ? options : {}));
    },
    changeLocale: (lang) => instance.changeLanguage(lang),
    getLocale: () => instance.language,
  };
}
