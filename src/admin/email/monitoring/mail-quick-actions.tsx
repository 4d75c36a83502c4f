import {
  DatabaseOutlined,
  DownloadOutlined,
  InboxOutlined,
  ReloadOutlined,
  WarningOutlined,
} from "@ant-design/icons";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { emailBouncesResource } from "#resources/email-bounces.ts";
import { emailComplaintsResource } from "#resources/email-complaints.ts";
import { saveFile } from "../../../ui/save-file.ts";
import { Panel } from "../../dashboard/panel.tsx";
import { DECORATIVE } from "../../parts/decorative.ts";
import { type ShownFigures, toCsv, toFileName } from "./export-monitoring.ts";

/** Where the mail's models are (specification B section 2). */
const MAIL_ADMIN = "/admin/mail_service/";

/** Spreadsheets read a file without a mark in the language of the computer. */
const UTF8_MARK = "\uFEFF";

function save(figures: ShownFigures): void {
  const file = new Blob([UTF8_MARK, toCsv(figures)], { type: "text/csv;charset=utf-8" });
  saveFile(file, toFileName(figures.days, new Date()));
}

interface MailQuickActionsProps {
  /** Undefined: there is nothing to export yet. */
  figures: ShownFigures | undefined;
  onRefresh: () => void;
}

export function MailQuickActions({ figures, onRefresh }: MailQuickActionsProps) {
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
        {figures && (
          <li>
            <button type="button" onClick={() => save(figures)}>
              <DownloadOutlined {...DECORATIVE} />
              {t("emailMonitoring.quick.export")}
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
