import { LockOutlined } from "@ant-design/icons";
import { Tag } from "antd";
import { useTranslation } from "react-i18next";
import type { ModelRecord } from "#contract/models.ts";
import { DECORATIVE } from "../ui/accessibility.ts";
import type { RowCells } from "../views/list/columns/columns.ts";

function CoreCell({ record }: { record: ModelRecord }) {
  const { t } = useTranslation();
  if (record.is_core !== true) return t("cell.no");
  return (
    <Tag icon={<LockOutlined {...DECORATIVE} />} title={t("accessLevels.coreStays")}>
      {t("accessLevels.core")}
    </Tag>
  );
}

export const LEVEL_CELLS: RowCells = { is_core: CoreCell };
