import { DownloadOutlined } from "@ant-design/icons";
import { Button } from "antd";
import { useTranslation } from "react-i18next";

import type { ListQuery } from "#providers/list-query.ts";
import type { RecordSource } from "#resources/record-source.ts";
import { DECORATIVE } from "../../parts/decorative.ts";
import { useExport } from "./use-export.ts";

const MEGABYTE = 1_000_000;

export function ExportButton({ model, query }: { model: RecordSource; query: ListQuery }) {
  const { t, i18n } = useTranslation();
  const { state, start, cancel } = useExport(model, query);
  if (state.kind === "idle") {
    return (
      <Button icon={<DownloadOutlined {...DECORATIVE} />} onClick={start}>
        {t("list.export")}
      </Button>
    );
  }
  const size = new Intl.NumberFormat(i18n.language, { maximumFractionDigits: 1, minimumFractionDigits: 1 });
  return (
    <span className="export-progress">
      <span role="status">{t("list.exporting", { size: size.format(state.bytes / MEGABYTE) })}</span>
      <Button onClick={cancel}>{t("list.cancelExport")}</Button>
    </span>
  );
}
