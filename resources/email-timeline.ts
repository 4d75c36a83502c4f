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
