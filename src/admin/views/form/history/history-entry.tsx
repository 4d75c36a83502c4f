import { DeleteOutlined, EditOutlined, EyeOutlined, PlusCircleOutlined } from "@ant-design/icons";
import { useTranslation } from "react-i18next";
import type { HistoryEntry as Entry, FieldInfo } from "#contract/models.ts";
import { DECORATIVE } from "../../../parts/decorative.ts";
import { RelativeTime } from "../../../parts/relative-time.tsx";
import { ChangesTable } from "../../history/changes-table.tsx";
import { useDetailText } from "./use-detail-text.ts";

/** So many changed fields are shown at once; more of them open on request. */
const OPEN_UP_TO = 5;

const ICONS = {
  CREATE: PlusCircleOutlined,
  UPDATE: EditOutlined,
  DELETE: DeleteOutlined,
  VIEW: EyeOutlined,
  LOGIN: EyeOutlined,
  LOGOUT: EyeOutlined,
} as const satisfies Record<Entry["action_type"], unknown>;

function Changes({ entry, fields }: { entry: Entry; fields: readonly FieldInfo[] }) {
  const { t } = useTranslation();
  const count = Object.keys(entry.changes).length;
  if (count === 0) return null;
  const isUpdate = entry.action_type === "UPDATE";
  return (
    <details open={isUpdate && count <= OPEN_UP_TO}>
      <summary>{t(isUpdate ? "history.showChanges" : "history.showValues", { count })}</summary>
      <ChangesTable changes={entry.changes} fields={fields} />
    </details>
  );
}

/** One entry of the log: what was done, by whom, when, and which fields it changed. */
export function HistoryEntry({ entry, fields }: { entry: Entry; fields: readonly FieldInfo[] }) {
  const { t } = useTranslation();
  const toDetail = useDetailText();
  const Icon = ICONS[entry.action_type];
  const detail = toDetail(entry);
  return (
    <li className="history-entry">
      <p className="history-head">
        <Icon {...DECORATIVE} className="history-icon" />
        <strong>{t(`history.action.${entry.action_type}`)}</strong>
        <span>{entry.user?.username ?? t("history.system")}</span>
        <span className="history-time">
          <RelativeTime moment={entry.timestamp} />
        </span>
      </p>
      {detail !== "" && <p className="history-detail">{detail}</p>}
      <Changes entry={entry} fields={fields} />
    </li>
  );
}
