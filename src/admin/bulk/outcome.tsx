import { Alert } from "antd";
import { useTranslation } from "react-i18next";
import type { Refusal } from "#contract/content/bulk.ts";
import type { FieldInfo } from "#contract/content/models.ts";
import { placeErrors } from "../views/kinds/field-errors.ts";
import type { BulkOutcome } from "./use-bulk.ts";

/** Why rows are left alone, and how many for each reason. */
export function Refusals({ refusals }: { refusals: readonly Refusal[] }) {
  const { t, i18n } = useTranslation();
  const format = new Intl.NumberFormat(i18n.language);
  return (
    <ul className="bulk-refusals">
      {refusals.map(({ reason, message, count }) => (
        <li key={reason}>{t("bulk.preview.refusal", { message, shown: format.format(count) })}</li>
      ))}
    </ul>
  );
}

interface OutcomeProps {
  outcome: BulkOutcome | undefined;
  fields: readonly FieldInfo[];
}

/** What came of the last operation, until the next one. */
export function Outcome({ outcome, fields }: OutcomeProps) {
  const { t } = useTranslation();
  const failure = outcome?.kind === "failed" ? outcome : undefined;
  // A job says by itself how it goes, on a card of its own.
  const done = outcome?.kind === "done" && !outcome.answer.job ? outcome.answer : undefined;
  const placed = placeErrors(failure?.fieldErrors ?? [], fields);
  // The values say themselves what is wrong with them.
  const reason = placed.inputs.length > 0 ? t("bulk.failed.values") : failure?.text;
  return (
    <>
      <div role="status">
        {done && (
          <Alert
            type="success"
            showIcon
            role="note"
            message={done.message}
            description={done.refusals.length > 0 && <Refusals refusals={done.refusals} />}
          />
        )}
      </div>
      {failure && (
        <Alert
          type="error"
          showIcon
          role="alert"
          message={failure.title}
          description={[reason, ...placed.others].map((text) => (
            <p key={text} className="bulk-problem">
              {text}
            </p>
          ))}
        />
      )}
    </>
  );
}
