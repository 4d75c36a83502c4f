import { DownOutlined, UpOutlined } from "@ant-design/icons";
import { Button } from "antd";
import { useTranslation } from "react-i18next";
import { DECORATIVE } from "../../parts/decorative.ts";
import type { Neighbours } from "../record/record-head.tsx";

/** Marks the button that leads on. */
export const NEXT_RECORD = "data-next-record";

/** On to the next and back to the previous row, as `j` and `k` do. At an end the button stays, and with it the focus. */
export function RecordSteps({ neighbours: { hasNext, hasPrevious, step } }: { neighbours: Neighbours }) {
  const { t } = useTranslation();
  return (
    <span className="record-steps">
      <Button
        type="text"
        icon={<UpOutlined {...DECORATIVE} />}
        aria-label={t("list.shortcuts.previousRecord")}
        aria-keyshortcuts="k"
        title={`${t("list.shortcuts.previousRecord")} (k)`}
        aria-disabled={!hasPrevious}
        onClick={() => step(-1)}
      />
      <Button
        type="text"
        icon={<DownOutlined {...DECORATIVE} />}
        aria-label={t("list.shortcuts.nextRecord")}
        aria-keyshortcuts="j"
        title={`${t("list.shortcuts.nextRecord")} (j)`}
        aria-disabled={!hasNext}
        onClick={() => step(1)}
        {...{ [NEXT_RECORD]: "" }}
      />
    </span>
  );
}
