import { DownloadOutlined, DownOutlined } from "@ant-design/icons";
import { Button, Dropdown, type MenuProps } from "antd";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { EXPORT_FORMATS, type ExportFormat } from "#contract/exports.ts";
import type { ListQuery } from "#providers/list-query.ts";
import type { RecordSource } from "#resources/record-source.ts";
import { type ExportChoice, toQueryExport } from "../../exports/export-call.ts";
import { ExportDialog } from "../../exports/export-dialog.tsx";
import { ExportProgress } from "../../exports/export-progress.tsx";
import { useExport } from "../../exports/use-export.ts";
import { useFocusBack } from "../../exports/use-focus-back.ts";
import { DECORATIVE } from "../../parts/decorative.ts";
import { pickColumns } from "./list-columns.tsx";

const OPTIONS = "options";

interface ExportButtonProps {
  model: RecordSource;
  query: ListQuery;
  /** Names of the chosen columns in their order; none: the default ones. */
  columns: readonly string[];
  /** About so many rows. */
  rowCount: number;
}

/** Every row of the list as a file: whole rows by one choice, or with columns of one's own. */
export function ExportButton({ model, query, columns, rowCount }: ExportButtonProps) {
  const { t } = useTranslation();
  const { exportResource = model.resource } = model;
  const { state, start, cancel } = useExport();
  const button = useFocusBack(state.kind === "running");
  const [isChoosing, setChoosing] = useState(false);
  if (exportResource === null) return null;
  const run = (choice: ExportChoice) =>
    void start({
      ...toQueryExport(exportResource, query, choice),
      format: choice.format,
      modelName: model.model_name,
      rowCount,
    });
  const runWhole = (format: ExportFormat) => run({ format, columns: [], keepsFormulas: false });

  if (state.kind === "running") return <ExportProgress state={state} onCancel={cancel} />;
  const items: MenuProps["items"] = [
    ...EXPORT_FORMATS.map((format) => ({
      key: format,
      label: t(`exports.formats.${format}`),
      onClick: () => runWhole(format),
    })),
    { type: "divider" },
    { key: OPTIONS, label: t("exports.options"), onClick: () => setChoosing(true) },
  ];
  return (
    <>
      {/* Inside of the page's own region, where screen readers look for what belongs to it. */}
      <Dropdown
        trigger={["click"]}
        autoFocus
        menu={{ items }}
        getPopupContainer={(trigger) => trigger.parentElement ?? document.body}
      >
        <Button
          ref={button}
          icon={<DownloadOutlined {...DECORATIVE} />}
          title={t("exports.menu")}
          aria-haspopup="menu"
        >
          {t("exports.export")} <DownOutlined {...DECORATIVE} />
        </Button>
      </Dropdown>
      {isChoosing && (
        <ExportDialog
          name={model.verbose_name_plural}
          shownColumns={pickColumns(model, columns).map(({ name }) => name)}
          onExport={(choice) => {
            setChoosing(false);
            run(choice);
          }}
          onClose={() => setChoosing(false)}
        />
      )}
    </>
  );
}
