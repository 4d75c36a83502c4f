import type { TFunction } from "i18next";
import type { ModelRecord } from "#contract/content/models.ts";
import { BOUNCE_TYPES } from "#contract/mail/triage.ts";
import { buildTriageSource, type TriageDeps } from "./email-triage.ts";
import { buildFixedField } from "./field.ts";
import type { RecordSource } from "./record-source.ts";

export const emailBouncesResource = {
  name: "email-bounces",
  list: "/admin/email-bounces",
  meta: { labelKey: "nav.emailBounces", icon: "email-bounces", goTo: "r", order: 700 },
} as const;

/** The content model behind the documented list. */
export const BOUNCE_MODEL = "mail.bounce";

/** The sentence of a reason's key (`mail-codes.json`); the key itself where nobody has explained it. */
export function toReasonText(t: TFunction, reason: unknown): string {
  if (typeof reason !== "string" || reason === "") return "";
  return t(`mailCodes.${reason}` as "emailLists.errorTitle", { defaultValue: reason });
}

/** A mailbox that is only full or busy may take mail tomorrow. */
export const isPermanent = ({ bounce_type }: ModelRecord) => bounce_type === "Permanent";

/** As providers call them; each has a name in words. */
const SUBTYPES = [
  "General",
  "NoEmail",
  "Suppressed",
  "OnAccountSuppressionList",
  "MailboxFull",
  "MessageTooLarge",
  "ContentRejected",
  "AttachmentRejected",
  "Undetermined",
] as const;

/** Returned mail (specification B sections 2, 3, 4 and 7). */
export function buildBouncesSource(deps: TriageDeps): RecordSource {
  const { t } = deps;
  return buildTriageSource(deps, {
    resource: emailBouncesResource,
    texts: "bounces",
    model: BOUNCE_MODEL,
    moment: "bounced_at",
    type: {
      name: "bounce_type",
      choices: BOUNCE_TYPES.map((value) => ({ value, labelKey: `emailLists.bounceTypes.${value}` })),
    },
    lead: "reason",
    fields: [
      buildFixedField("bounce_subtype", t("emailLists.fields.bounce_subtype"), {
        control: "choice",
        choices: SUBTYPES.map((value) => ({ value, label: t(`emailLists.subtypes.${value}`) })),
      }),
      buildFixedField("reason", t("emailLists.fields.reason")),
      buildFixedField("status_code", t("emailLists.fields.status_code")),
      buildFixedField("diagnostic_code", t("emailLists.fields.diagnostic_code")),
    ],
    cards: ["total", "unprocessed", "permanent", "temporary"],
    canStop: isPermanent,
  });
}
