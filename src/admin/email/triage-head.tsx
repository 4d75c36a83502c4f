import "./email.css";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { isPermanent, toReasonText } from "#resources/email-bounces.ts";
import type { RecordPartProps } from "../views/state/list-context.ts";
import { SuppressionState, suppressed, useSuppressionPath } from "./suppression-state.tsx";
import { StateText } from "./triage-cells.tsx";

/** Why nobody can be unsubscribed because of a failure that may pass, and what can be done in its place. */
function TransientNote() {
  const { t } = useTranslation();
  const path = useSuppressionPath()();
  const list = t("emailLists.transient.list");
  return (
    <p>
      {t("emailLists.transient.why")} {path ? <Link to={path}>{list}</Link> : list}.
    </p>
  );
}

/** Whether mail reaches the address now. Other back ends don't say it. */
function MailState({ record }: RecordPartProps) {
  const { t } = useTranslation();
  const state = suppressed.safeParse(record.suppressed).data ?? null;
  if (state === null && record.unsubscribed_by) return <p>{t("emailLists.suppressed.liftedLong")}</p>;
  return <SuppressionState state={state} />;
}

/** Of an opened row: what happened in a sentence, how far it is sorted out, and whether mail reaches the address. */
export function TriageHead({ record }: RecordPartProps) {
  const { t } = useTranslation();
  const reason = toReasonText(t, record.reason);
  const isTransient = "bounce_type" in record && !isPermanent(record);
  return (
    <div className="triage-head">
      <p className="triage-state">
        <StateText record={record} isWhole />
      </p>
      {reason !== "" && <p className="triage-reason">{reason}</p>}
      <MailState record={record} />
      {isTransient && <TransientNote />}
    </div>
  );
}
