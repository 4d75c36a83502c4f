import "./email.css";
import { CheckCircleOutlined, ClockCircleOutlined, HistoryOutlined } from "@ant-design/icons";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { ModelRecord } from "#contract/content/models.ts";
import { BOUNCE_MODEL, buildBouncesSource, isPermanent, toReasonText } from "#resources/email-bounces.ts";
import { buildComplaintsSource, COMPLAINT_MODEL } from "#resources/email-complaints.ts";
import type { TriageDeps } from "#resources/email-triage.ts";
import type { RecordSource } from "#resources/record-source.ts";
import { TIMELINE_PATH } from "#resources/screens.ts";
import { useServices } from "../services.ts";
import { DECORATIVE } from "../ui/accessibility.ts";
import { RelativeTime } from "../ui/relative-time.tsx";
import { relatedValue } from "../views/kinds/cell-value.ts";
import type { RowCells } from "../views/list/columns/columns.ts";
import { ListPage } from "../views/list/list-page.tsx";
import type { RecordPartProps, RecordParts } from "../views/state/list-context.ts";
import { AlarmBanner } from "./monitoring/alarm-banner.tsx";
import { RecipientTimeline } from "./recipient-timeline.tsx";
import { SuppressionState, suppressed, toSuppressedText, useSuppressionPath } from "./suppression-state.tsx";

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
function StateText({ record, isWhole = false }: StateTextProps) {
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

const BOUNCE_CELLS: RowCells = {
  ...COMMON_CELLS,
  bounced_at: TimeCell,
  reason: ReasonCell,
};

const COMPLAINT_CELLS: RowCells = { ...COMMON_CELLS, complained_at: TimeCell };

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
function TriageHead({ record }: RecordPartProps) {
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

interface TriagePageProps {
  /** Name of the content model behind the list. */
  model: string;
  /** Always the same function. */
  build: (deps: TriageDeps) => RecordSource;
  cells: RowCells;
}

/** The list for the person who is signed in. */
function useTriageSource({ model, build }: Pick<TriagePageProps, "model" | "build">): RecordSource {
  const { t } = useTranslation();
  const { permissions } = useServices();
  return useMemo(() => {
    const findModel: TriageDeps["findModel"] = (name) =>
      permissions.can("view", name) ? permissions.findContentType?.(name) : undefined;
    return build({ t, canView: permissions.can("view", model), findModel });
  }, [build, t, permissions, model]);
}

/** All mails to the address of a row. */
function TimelinePanel({ record: { email_address: email } }: RecordPartProps) {
  return typeof email === "string" && email !== "" ? <RecipientTimeline key={email} email={email} /> : null;
}

/** A list of the e-mail triage (specification B section 2): the generic list over the documented endpoint, and a timeline. */
function TriagePage({ model, build, cells }: TriagePageProps) {
  const { t } = useTranslation();
  const source = useTriageSource({ model, build });
  const deps = useMemo<RecordParts>(
    () => ({
      Head: TriageHead,
      tabs: [{ name: "timeline", label: t("emailTimeline.tab"), Panel: TimelinePanel }],
    }),
    [t],
  );
  const lookUp = (
    <Link className="button-link" to={TIMELINE_PATH}>
      <HistoryOutlined {...DECORATIVE} /> {t("emailTimeline.open")}
    </Link>
  );
  return (
    <>
      <AlarmBanner isShort />
      <ListPage source={source} cells={cells} recordParts={deps} actions={lookUp} />
    </>
  );
}

/** `/admin/email-bounces` */
export function BouncesPage() {
  return <TriagePage model={BOUNCE_MODEL} build={buildBouncesSource} cells={BOUNCE_CELLS} />;
}

/** `/admin/email-complaints` */
export function ComplaintsPage() {
  return <TriagePage model={COMPLAINT_MODEL} build={buildComplaintsSource} cells={COMPLAINT_CELLS} />;
}
