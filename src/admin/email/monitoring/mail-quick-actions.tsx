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
import { emailBouncesResource } from "#resources/email-bounces.ts";
import { emailComplaintsResource } from "#resources/email-complaints.ts";
import { MAIL_MODEL } from "#resources/email-monitoring.ts";
import { saveFile } from "../../../ui/save-file.ts";
import { ExportProgress } from "../../exports/export-progress.tsx";
import { useExport } from "../../exports/use-export.ts";
import { useFocusBack } from "../../exports/use-focus-back.ts";
import { DECORATIVE } from "../../ui/accessibility.ts";
import { Panel } from "../../ui/panel.tsx";
import { useModelPermissions } from "../../use-model-permissions.ts";
import { toDeliveriesExport } from "./deliveries-export.ts";
import { type ShownFigures, toCsv, toFileName } from "./export-monitoring.ts";

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
