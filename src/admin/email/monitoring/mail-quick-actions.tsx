import {
  DatabaseOutlined,
  DownloadOutlined,
  InboxOutlined,
  LineChartOutlined,
  ReloadOutlined,
  WarningOutlined,
} from "@ant-design/icons";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { toDaysStart } from "#contract/content/lists.ts";
import { emailBouncesResource } from "#resources/email-bounces.ts";
import { emailComplaintsResource } from "#resources/email-complaints.ts";
import { objectsResource } from "#resources/record-source.ts";
import { MAIL_MODEL } from "#resources/screens.ts";
import { saveFile } from "../../../ui/save-file.ts";
import { ExportProgress, useFocusBack } from "../../exports/export-progress.tsx";
import { type ExportJob, toQueryExport, useExport } from "../../exports/use-export.ts";
import { useModelPermissions } from "../../services.ts";
import { DECORATIVE } from "../../ui/accessibility.ts";
import { Panel } from "../../ui/panel.tsx";
import { type ShownFigures, toCsv, toFileName } from "./export-monitoring.ts";

/** What staff need of a mail; its text and its secrets are no fields. */
const DELIVERY_COLUMNS = [
  "id",
  "created_at",
  "handed_over_at",
  "kind",
  "recipient",
  "language",
  "status",
  "delivery_state",
  "sent_at",
  "delivered_at",
  "failure_reason",
  "response",
  "attempts",
  "message_id",
] as const;

interface Deliveries {
  /** Of `mail.message`. */
  contentTypeId: number;
  days: number;
  /** About so many mails. */
  rowCount: number;
  now: Date;
}

/**
 * The period's mails, a row each: those that the figures count, by the day of their hand-over, and what was to be sent in these days
 * and was not. For people: labels in their language, newest first.
 */
function toDeliveriesExport({ contentTypeId, days, rowCount, now }: Deliveries): ExportJob {
  const value = toDaysStart(days, now.getTime()).toISOString();
  const since = (field: string) => ({ field, operator: "gte", value });
  const query = {
    where: { or: [since("created_at"), since("handed_over_at")] },
    sorts: [{ field: "created_at", direction: "desc" as const }],
  };
  const choice = {
    format: "csv",
    columns: DELIVERY_COLUMNS,
    keepsFormulas: false,
    isForSpreadsheets: true,
  } as const;
  return {
    ...toQueryExport(objectsResource(contentTypeId), query, choice),
    format: "csv",
    modelName: `email-deliveries-${days}-days`,
    rowCount,
  };
}

/** Where the mail's models are (specification B section 2). */
const MAIL_ADMIN = "/admin/mail_service/";

/** Spreadsheets read a file without a mark in the language of the computer. */
const UTF8_MARK = "\uFEFF";

function saveFigures(figures: ShownFigures): void {
  const file = new Blob([UTF8_MARK, toCsv(figures)], { type: "text/csv;charset=utf-8" });
  saveFile(file, toFileName(figures.days, new Date()));
}

interface DeliveriesItemProps {
  days: number;
  /** About so many mails. */
  rowCount: number;
}

/** The period's mails as a file, for those who may see them. */
function DeliveriesItem({ days, rowCount }: DeliveriesItemProps) {
  const { t } = useTranslation();
  const { permissions, contentTypeId } = useModelPermissions(MAIL_MODEL);
  const { state, start, cancel } = useExport();
  const button = useFocusBack(state.kind === "running");
  if (contentTypeId === undefined || !permissions.view) return null;
  return (
    <li>
      {state.kind === "running" ? (
        <ExportProgress state={state} onCancel={cancel} />
      ) : (
        <button
          ref={button}
          type="button"
          onClick={() => void start(toDeliveriesExport({ contentTypeId, days, rowCount, now: new Date() }))}
        >
          <DownloadOutlined {...DECORATIVE} />
          {t("emailMonitoring.quick.export")}
        </button>
      )}
    </li>
  );
}

interface MailQuickActionsProps {
  days: number;
  /** Undefined: there are none yet. */
  figures: ShownFigures | undefined;
  onRefresh: () => void;
}

export function MailQuickActions({ days, figures, onRefresh }: MailQuickActionsProps) {
  const { t } = useTranslation();
  return (
    <Panel title={t("emailMonitoring.quick.title")}>
      <ul className="quick-actions">
        <li>
          <button type="button" onClick={onRefresh}>
            <ReloadOutlined {...DECORATIVE} />
            {t("emailMonitoring.refresh")}
          </button>
        </li>
        <li>
          <Link to={MAIL_ADMIN}>
            <DatabaseOutlined {...DECORATIVE} />
            {t("emailMonitoring.quick.adminPanel")}
          </Link>
        </li>
        <DeliveriesItem days={days} rowCount={figures?.stats.total_sent ?? 0} />
        {figures && (
          <li>
            <button type="button" onClick={() => saveFigures(figures)}>
              <LineChartOutlined {...DECORATIVE} />
              {t("emailMonitoring.quick.figures")}
            </button>
          </li>
        )}
        <li>
          <Link to={emailBouncesResource.list}>
            <InboxOutlined {...DECORATIVE} />
            {t("nav.emailBounces")}
          </Link>
        </li>
        <li>
          <Link to={emailComplaintsResource.list}>
            <WarningOutlined {...DECORATIVE} />
            {t("nav.emailComplaints")}
          </Link>
        </li>
      </ul>
    </Panel>
  );
}
