import { ACCESS_LEVEL } from "#contract/accounts/accounts.ts";

/**
 * What the frame of the console knows of a screen, in the `meta` of its resource. The console's types know which texts and icons
 * there are (src/admin/navigation/screens.tsx).
 */
export interface ScreenMeta {
  /** Its name in sidebar, palette and sheet of shortcuts. */
  labelKey: string;
  icon: string;
  /** Second key of `g …`; the same in both languages, as the addresses are. */
  goTo: string;
  /** Its place in the sidebar; the product's are 100 apart. */
  order: number;
  /** Who sees its entry; absent: everybody, as far as they may see its records. */
  level?: number;
}

const dashboardResource = {
  name: "dashboard",
  list: "/admin",
  meta: { labelKey: "nav.dashboard", icon: "dashboard", goTo: "d", order: 100 },
} as const;

export const healthResource = {
  name: "health",
  list: "/admin/health",
  meta: { labelKey: "nav.health", icon: "health", goTo: "h", order: 900 },
} as const;

/** The content models that the signed-in person may see. */
export const modelsResource = {
  name: "models",
  list: "/admin/models",
  meta: { labelKey: "nav.models", icon: "models", goTo: "m", order: 400 },
} as const;

export const settingsResource = {
  name: "settings",
  list: "/admin/settings",
  meta: { labelKey: "nav.settings", icon: "settings", goTo: "s", order: 1000 },
} as const;

/** The import of a CV from a file: for who may write and delete all of it. */
const importResource = {
  name: "import",
  list: "/admin/import",
  meta: { labelKey: "import.title", icon: "import", goTo: "i", order: 450, level: ACCESS_LEVEL.admin },
} as const;

/** Mails that a site in development writes to files. */
export const mailboxResource = {
  name: "mailbox",
  list: "/admin/mailbox",
  meta: { labelKey: "nav.mailbox", icon: "mailbox", goTo: "b", order: 1100, level: ACCESS_LEVEL.superuser },
} as const;

/** The address of one mail's view. */
export function toMailAddress(file: string): string {
  return `${mailboxResource.list}/${encodeURIComponent(file)}`;
}

/** Figures of mail: what was sent, what became of it, and whether anybody reports. */
export const emailMonitoringResource = {
  name: "email-monitoring",
  list: "/admin/email-monitoring",
  meta: { labelKey: "nav.emailMonitoring", icon: "email-monitoring", goTo: "e", order: 600 },
} as const;

/** Screens without records of their own. */
export const PLAIN_SCREENS = [
  dashboardResource,
  modelsResource,
  importResource,
  emailMonitoringResource,
  healthResource,
  settingsResource,
  mailboxResource,
] as const;

/** The content model behind the figures. */
export const MAIL_MODEL = "mail.message";

/** The address of one mail's details, over the figures. */
export function toActivityAddress(id: number): string {
  return `${emailMonitoringResource.list}/${id}`;
}

/** Parameter of the timeline's address, whose own name the documented call has too. */
export const TIMELINE_EMAIL = "email";

export const TIMELINE_PATH = "/admin/email-timeline";
export const TIMELINE_API = "/api/mail/timeline/";
/** Calls about one report; its number and a slash follow. */
export const REPORTS_API = "/api/mail/reports/";

/** Where everything that is known of the mails to an address is shown. */
export function toTimelinePath(email: string): string {
  return `${TIMELINE_PATH}?${new URLSearchParams({ [TIMELINE_EMAIL]: email })}`;
}
