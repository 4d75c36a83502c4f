import { FEEDBACK_TYPES } from "#contract/mail/triage.ts";
import { buildTriageSource, type TriageDeps } from "./email-triage.ts";
import { buildFixedField } from "./field.ts";
import type { RecordSource } from "./record-source.ts";

export const emailComplaintsResource = {
  name: "email-complaints",
  list: "/admin/email-complaints",
  meta: { labelKey: "nav.emailComplaints", icon: "email-complaints", goTo: "c", order: 800 },
} as const;

/** The content model behind the documented list. */
export const COMPLAINT_MODEL = "mail.complaint";

/** Complaints about mail (specification B sections 2, 3, 4 and 7). */
export function buildComplaintsSource(deps: TriageDeps): RecordSource {
  const { t } = deps;
  return buildTriageSource(deps, {
    resource: emailComplaintsResource,
    texts: "complaints",
    model: COMPLAINT_MODEL,
    moment: "complained_at",
    type: {
      name: "feedback_type",
      choices: FEEDBACK_TYPES.map((value) => ({ value, labelKey: `emailLists.feedbackTypes.${value}` })),
    },
    lead: "feedback_type",
    fields: [
      buildFixedField("raw_feedback_type", t("emailLists.fields.raw_feedback_type")),
      buildFixedField("user_agent", t("emailLists.fields.user_agent")),
    ],
    cards: ["total", "unprocessed", "processed", "auto_unsubscribed"],
    canStop: () => true,
  });
}
