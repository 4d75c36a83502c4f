import { ProfileOutlined, TableOutlined } from "@ant-design/icons";
import { Button } from "antd";
import { useTranslation } from "react-i18next";
import { DECORATIVE } from "../../parts/decorative.ts";
import type { ListLayout } from "./rows/list-layout.tsx";

/** Between cards and the table. */
export function LayoutButton({ rows, setRows }: ListLayout) {
  const { t } = useTranslation();
  const other = rows === "cards" ? "table" : "cards";
  const Icon = other === "table" ? TableOutlined : ProfileOutlined;
  return (
    <Button
      type="text"
      icon={<Icon {...DECORATIVE} />}
      aria-label={t(`list.showAs.${other}`)}
      onClick={() => setRows(other)}
    />
  );
}
