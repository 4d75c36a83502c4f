// Written by `npm run texts`, which is for whoever adds an area; a test compares.

interface Areas {
  "admin-access-levels": typeof import("./en/admin-access-levels.json");
  "admin-audit": typeof import("./en/admin-audit.json");
  "admin-bulk": typeof import("./en/admin-bulk.json");
  "admin-charts": typeof import("./en/admin-charts.json");
  "admin-dashboard": typeof import("./en/admin-dashboard.json");
  "admin-email-monitoring": typeof import("./en/admin-email-monitoring.json");
  "admin-email-timeline": typeof import("./en/admin-email-timeline.json");
  "admin-email": typeof import("./en/admin-email.json");
  "admin-exports": typeof import("./en/admin-exports.json");
  "admin-files": typeof import("./en/admin-files.json");
  "admin-health": typeof import("./en/admin-health.json");
  "admin-history": typeof import("./en/admin-history.json");
  "admin-import": typeof import("./en/admin-import.json");
  "admin-jobs": typeof import("./en/admin-jobs.json");
  "admin-ordering": typeof import("./en/admin-ordering.json");
  "admin-pages": typeof import("./en/admin-pages.json");
  "admin-palette": typeof import("./en/admin-palette.json");
  "admin-sample": typeof import("./en/admin-sample.json");
  "admin-settings": typeof import("./en/admin-settings.json");
  "admin-shortcuts": typeof import("./en/admin-shortcuts.json");
  "admin-users": typeof import("./en/admin-users.json");
  admin: typeof import("./en/admin.json");
  "mail-codes": typeof import("./en/mail-codes.json");
  "mail-stop-reasons": typeof import("./en/mail-stop-reasons.json");
}

type Area = Areas[keyof Areas];
type KeyOf<T> = T extends T ? keyof T : never;

/** The console's texts by their first key, from the English files of all areas. */
export type ConsoleTexts = { [Key in KeyOf<Area>]: Extract<Area, Record<Key, unknown>>[Key] };
