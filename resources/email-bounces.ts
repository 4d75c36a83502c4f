import type { TFunction } from "i18next";
import { BOUNCE_TYPES } from "#contract/mail-lists.ts";
import type { ModelRecord } from "#contract/models.ts";
import { buildFixedField, buildTriageSource, type TriageParts } from "./email-triage.ts";
import type { QuickFilter, RecordSource } from "./record-source.ts";

export const emailBouncesResource = {
  name: "email-bounces",
  list: "/admin/email-bounces",
  meta: { labelKey: "nav.emailBounces", icon: "email-bounces" },
} as const;

/** The content model behind the documented list. */
export const BOUNCE_MODEL = "mail.bounce";

const TYPE_FILTER: QuickFilter = {
  labelKey: "emailLists.fields.bounce_type",
  options: BOUNCE_TYPES.map((value) => ({
    labelKey: `emailLists.bounceTypes.${value}`,
    filters: [{ field: "bounce_type", operator: "exact", value }],
  })),
};

/** The sentence of a reason's key (`mail-codes.json`); the key itself where nobody has explained it. */
export function toReasonText(t: TFunction, reason: unknown): string {
  if (typeof reason !== "string" || reason === "") return "";
  return t(`mailCodes.${reason}` as "emailLists.errorTitle", { defaultValue: reason });
}

function buildFields(t: TFunction, reason: unknown) {
  const text = toReasonText(t, reason);
  return [
    buildFixedField("email_address", t("emailLists.fields.email_address"), {
      type: "EmailField",
      control: "email",
    }),
    buildFixedField("bounce_type", t("emailLists.fields.bounce_type"), {
      control: "choice",
      choices: BOUNCE_TYPES.map((value) => ({ value, label: t(`emailLists.bounceTypes.${value}`) })),
    }),
    buildFixedField("bounce_subtype", t("emailLists.fields.bounce_subtype")),
    buildFixedField("reason", t("emailLists.fields.reason"), {
      choices: text === "" ? [] : [{ value: String(reason), label: text }],
    }),
    buildFixedField("status_code", t("emailLists.fields.status_code")),
    buildFixedField("diagnostic_code", t("emailLists.fields.diagnostic_code")),
    buildFixedField("bounced_at", t("emailLists.fields.bounced_at"), {
      type: "DateTimeField",
      control: "datetime",
    }),
  ];
}

/** A mailbox that is only full or busy may take mail tomorrow. */
const isPermanent = ({ bounce_type }: ModelRecord) => bounce_type === "Permanent";

/** Returned mail (specification B sections 2, 3, 4 and 7). */
export function buildBouncesSource(parts: TriageParts): RecordSource {
  const { t } = parts;
  const card = (name: "total" | "unprocessed" | "permanent" | "temporary") => ({
    name,
    label: t(`emailLists.cards.${name}`),
  });
  const build = (reason: unknown): RecordSource =>
    buildTriageSource(
      parts,
      {
        resource: emailBouncesResource.name,
        texts: "bounces",
        model: BOUNCE_MODEL,
        list: emailBouncesResource.list,
        api: "/api/mail/bounces",
        idsName: "bounce_ids",
        moment: "bounced_at",
        columns: [
          "email_address",
          "bounce_type",
          "reason",
          "mail_kind",
          "bounced_at",
          "is_processed",
          "owner",
        ],
      },
      {
        fields: buildFields(t, reason),
        typeFilter: TYPE_FILTER,
        summaryCards: [card("total"), card("unprocessed"), card("permanent"), card("temporary")],
        canStop: isPermanent,
      },
    );
  return { ...build(undefined), ofRecord: (record) => build(record?.reason) };
}
