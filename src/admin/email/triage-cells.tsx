import { useTranslation } from "react-i18next";
import type { ModelRecord } from "#contract/models.ts";
import { toReasonText } from "#resources/email-bounces.ts";
import { RelativeTime } from "../parts/relative-time.tsx";
import type { RowCells } from "../views/list/list-columns.tsx";

interface CellProps {
  record: ModelRecord;
  value: unknown;
}

function TimeCell({ value }: CellProps) {
  return typeof value === "string" ? <RelativeTime moment={value} /> : null;
}

/** Type and subtype, as a provider names them: `Permanent, NoEmail`. */
function BounceTypeCell({ record, value }: CellProps) {
  const { t } = useTranslation();
  const type = t(
    value === "Permanent" ? "emailLists.bounceTypes.Permanent" : "emailLists.bounceTypes.Transient",
  );
  const { bounce_subtype: subtype } = record;
  return typeof subtype === "string" && subtype !== "" ? `${type}, ${subtype}` : type;
}

/** The reason in words; a code alone where nobody has explained it. */
function ReasonCell({ record, value }: CellProps) {
  const { t } = useTranslation();
  const text = toReasonText(t, value) || (typeof record.status_code === "string" ? record.status_code : "");
  if (text === "") return <span aria-hidden>—</span>;
  return (
    <span className="clipped-cell" title={text}>
      {text}
    </span>
  );
}

export const BOUNCE_CELLS: RowCells = {
  bounced_at: TimeCell,
  bounce_type: BounceTypeCell,
  reason: ReasonCell,
};

export const COMPLAINT_CELLS: RowCells = { complained_at: TimeCell };
