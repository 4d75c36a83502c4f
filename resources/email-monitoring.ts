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
