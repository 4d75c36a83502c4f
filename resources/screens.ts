import { ACCESS_LEVEL } from "#contract/accounts/accounts.ts";

export const dashboardResource = {
  name: "dashboard",
  list: "/admin",
  meta: { labelKey: "nav.dashboard", icon: "dashboard" },
} as const;

export const healthResource = {
  name: "health",
  list: "/admin/health",
  meta: { labelKey: "nav.health", icon: "health" },
} as const;

/** The content models that the signed-in person may see. */
export const modelsResource = {
  name: "models",
  list: "/admin/models",
  meta: { labelKey: "nav.models", icon: "models" },
} as const;

export const settingsResource = {
  name: "settings",
  list: "/admin/settings",
  meta: { labelKey: "nav.settings", icon: "settings" },
} as const;

/** Mails that a site in development writes to files. `level`: who sees its entry in the menu. */
export const mailboxResource = {
  name: "mailbox",
  list: "/admin/mailbox",
  meta: { labelKey: "nav.mailbox", icon: "mailbox", level: ACCESS_LEVEL.superuser },
} as const;

/** The address of one mail's view. */
export function toMailAddress(file: string): string {
  return `${mailboxResource.list}/${encodeURIComponent(file)}`;
}

/** Figures of mail: what was sent, what became of it, and whether anybody reports. */
export const emailMonitoringResource = {
  name: "email-monitoring",
  list: "/admin/email-monitoring",
  meta: { labelKey: "nav.emailMonitoring", icon: "email-monitoring" },
} as const;

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
