import { DownloadOutlined, DownOutlined } from "@ant-design/icons";
import { Button, Dropdown, type MenuProps } from "antd";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { EXPORT_FORMATS } from "#contract/content/exports.ts";
import type { RecordSource } from "#resources/record-source.ts";
import { ExportDialog } from "../../exports/export-options.tsx";
import { ExportProgress, useFocusBack } from "../../exports/export-progress.tsx";
import { DECORATIVE } from "../../ui/accessibility.ts";
import type { ListView } from "../state/list-view.ts";
import { useListExport } from "./list-export.ts";

const OPTIONS = "options";

interface ExportButtonProps {
  source: RecordSource;
  view: ListView;
  /** About so many rows. */
  rowCount: number;
  /** Without the menu of quick choices: the dialog has them all. */
  isPlain?: boolean;
}

/** Every row of the list as a file: whole rows by one choice, or with columns of one's own. */
export function ExportButton({ source, view, rowCount, isPlain = false }: ExportButtonProps) {
  const { t } = useTranslation();
  const { canExport, shownColumns, state, cancel, run, runWhole } = useListExport(source, view);
  const button = useFocusBack(state.kind === "running");
  const [isChoosing, setChoosing] = useState(false);
  if (!canExport) return null;

  if (state.kind === "running") return <ExportProgress state={state} onCancel={cancel} />;
  const items: MenuProps["items"] = [
    ...EXPORT_FORMATS.map((format) => ({
      key: format,
      label: t(`exports.formats.${format}`),
      onClick: () => void runWhole(format, rowCount),
    })),
    { type: "divider" },
    { key: OPTIONS, label: t("exports.options"), onClick: () => setChoosing(true) },
  ];
  const icon = <DownloadOutlined {...DECORATIVE} />;
  return (
    <>
      {isPlain ? (
        <Button ref={button} icon={icon} title={t("exports.menu")} onClick={() => setChoosing(true)}>
          {t("exports.export")}
        </Button>
      ) : (
        <>
          {/* Inside of the page's own region, where screen readers look for what belongs to it. */}
          <Dropdown
            trigger={["click"]}
            autoFocus
            menu={{ items }}
            getPopupContainer={(trigger) => trigger.parentElement ?? document.body}
          >
            <Button ref={button} icon={icon} title={t("exports.menu")} aria-haspopup="menu">
              {t("exports.export")} <DownOutlined {...DECORATIVE} />
            </Button>
          </Dropdown>
        </>
      )}
      {isChoosing && (
        <ExportDialog
          name={source.verbose_name_plural}
          shownColumns={shownColumns}
          onExport={(choice) => {
            setChoosing(false);
            void run(choice, rowCount);
          }}
          onClose={() => setChoosing(false)}
        />
      )}
    </>
  );
}
