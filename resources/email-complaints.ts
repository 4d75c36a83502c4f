import { FEEDBACK_TYPES } from "#contract/mail-lists.ts";
import { buildFixedField, buildTriageSource, type TriageParts } from "./email-triage.ts";
import type { QuickFilter, RecordSource } from "./record-source.ts";

export const emailComplaintsResource = {
  name: "email-complaints",
  list: "/admin/email-complaints",
  meta: { labelKey: "nav.emailComplaints", icon: "email-complaints" },
} as const;

/** The content model behind the documented list. */
export const COMPLAINT_MODEL = "mail.complaint";

const TYPE_FILTER: QuickFilter = {
  labelKey: "emailLists.fields.feedback_type",
  options: FEEDBACK_TYPES.map((value) => ({
    labelKey: `emailLists.feedbackTypes.${value}`,
    filters: [{ field: "feedback_type", operator: "exact", value }],
  })),
};

/** Complaints about mail (specification B sections 2, 3, 4 and 7). */
export function buildComplaintsSource(parts: TriageParts): RecordSource {
  const { t } = parts;
  const card = (name: "total" | "unprocessed" | "processed" | "auto_unsubscribed") => ({
    name,
    label: t(`emailLists.cards.${name}`),
  });
  return buildTriageSource(
    parts,
    {
      resource: emailComplaintsResource.name,
      texts: "complaints",
      model: COMPLAINT_MODEL,
      list: emailComplaintsResource.list,
      api: "/api/mail/complaints",
      idsName: "complaint_ids",
      moment: "complained_at",
      columns: [
        "email_address",
        "feedback_type",
        "mail_kind",
        "complained_at",
        "is_processed",
        "unsubscribed_by",
        "owner",
      ],
    },
    {
      fields: [
        buildFixedField("email_address", t("emailLists.fields.email_address"), {
          type: "EmailField",
          control: "email",
        }),
        buildFixedField("feedback_type", t("emailLists.fields.feedback_type"), {
          control: "choice",
          choices: FEEDBACK_TYPES.map((value) => ({ value, label: t(`emailLists.feedbackTypes.${value}`) })),
        }),
        buildFixedField("raw_feedback_type", t("emailLists.fields.raw_feedback_type")),
        buildFixedField("user_agent", t("emailLists.fields.user_agent")),
        buildFixedField("complained_at", t("emailLists.fields.complained_at"), {
          type: "DateTimeField",
          control: "datetime",
        }),
      ],
      typeFilter: TYPE_FILTER,
      summaryCards: [card("total"), card("unprocessed"), card("processed"), card("auto_unsubscribed")],
      canStop: () => true,
    },
  );
}
