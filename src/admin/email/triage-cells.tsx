import "./email.css";
import { CheckCircleOutlined, ClockCircleOutlined } from "@ant-design/icons";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { ModelRecord } from "#contract/models.ts";
import { toReasonText } from "#resources/email-bounces.ts";
import { RelativeTime } from "../parts/relative-time.tsx";
import { DECORATIVE } from "../ui/accessibility.ts";
import { relatedValue } from "../views/kinds/cell-value.ts";
import type { RowCells } from "../views/list/columns/columns.ts";
import { suppressed, toSuppressedText, useSuppressionPath } from "./suppression-state.tsx";

interface CellProps {
  record: ModelRecord;
  value: unknown;
}

function TimeCell({ value }: CellProps) {
  return typeof value === "string" ? <RelativeTime moment={value} /> : null;
}

/** A text that may be long, whole for whoever points at it. */
function Clipped({ text }: { text: string }) {
  if (text === "") return <span aria-hidden>—</span>;
  return (
    <span className="mail-cell" title={text}>
      {text}
    </span>
  );
}

/** The reason in words, or a code that nobody has explained, and below it whether it is for good. */
function ReasonCell({ record, value }: CellProps) {
  const { t } = useTranslation();
  const { status_code: code, bounce_type } = record;
  const text = toReasonText(t, value) || (typeof code === "string" ? code : "");
  const type = t(
    bounce_type === "Permanent" ? "emailLists.bounceTypes.Permanent" : "emailLists.bounceTypes.Transient",
  );
  if (text === "") return type;
  return (
    <span className="cell-lines">
      <Clipped text={text} />
      <span className="cell-second">{type}</span>
    </span>
  );
}

/** The kind of the mail in words; its name where a back end has none. */
function KindCell({ record, value }: CellProps) {
  const { mail_kind_label: label } = record;
  return <Clipped text={typeof label === "string" ? label : typeof value === "string" ? value : ""} />;
}

interface StateTextProps {
  record: ModelRecord;
  /** Says too by whom the address was unsubscribed. */
  isWhole?: boolean;
}

/** How far a row is sorted out. */
export function StateText({ record, isWhole = false }: StateTextProps) {
  const { t } = useTranslation();
  const { is_processed, unsubscribed_by: by } = record;
  const Icon = is_processed ? CheckCircleOutlined : ClockCircleOutlined;
  return (
    <span className="triage-mark" data-open={!is_processed || undefined}>
      <Icon {...DECORATIVE} />
      <span>
        {t(is_processed ? "emailLists.states.processed" : "emailLists.states.unprocessed")}
        {isWhole && (by === "staff" || by === "server") && `, ${t(`emailLists.states.${by}`)}`}
      </span>
    </span>
  );
}

/** The same, who looks into it, and whether mail to the address is stopped, with the way to what stops it. */
function StateCell({ record }: CellProps) {
  const { t, i18n } = useTranslation();
  const toPath = useSuppressionPath();
  const state = suppressed.safeParse(record.suppressed).data;
  const path = state && toPath(state.id);
  const text = state && t(`emailLists.suppressed.${state.scope}`);
  const owner = relatedValue.safeParse(record.owner).data;
  return (
    <span className="cell-lines">
      <StateText record={record} />
      {owner && (
        <span className="cell-second">
          {t("emailLists.fields.owner")}: {owner.repr}
        </span>
      )}
      {state && (
        <span className="cell-second" title={toSuppressedText(state, t, i18n.language)}>
          {path ? (
            <Link to={path} onClick={(event) => event.stopPropagation()}>
              {text}
            </Link>
          ) : (
            text
          )}
        </span>
      )}
      {!state && Boolean(record.unsubscribed_by) && (
        <span className="cell-second">{t("emailLists.suppressed.lifted")}</span>
      )}
    </span>
  );
}

const COMMON_CELLS: RowCells = { mail_kind: KindCell, is_processed: StateCell };

export const BOUNCE_CELLS: RowCells = {
  ...COMMON_CELLS,
  bounced_at: TimeCell,
  reason: ReasonCell,
};

export const COMPLAINT_CELLS: RowCells = { ...COMMON_CELLS, complained_at: TimeCell };
