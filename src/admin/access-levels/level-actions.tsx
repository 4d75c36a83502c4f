import { CopyOutlined, DeleteOutlined, EditOutlined } from "@ant-design/icons";
import { useTranslation } from "react-i18next";
import { useLocation, useNavigate } from "react-router";
import type { ModelRecord } from "#contract/models.ts";
import type { RecordSource } from "#resources/record-source.ts";
import { DECORATIVE } from "../ui/accessibility.ts";
import { RowButton } from "../ui/row-button.tsx";
import { OPENED_FROM_LIST } from "../views/state/list-context.ts";
import { canCopy, toCopyAddress } from "../views/state/record-address.ts";

interface LevelActionsProps {
  model: RecordSource;
  record: ModelRecord;
  onDelete: () => void;
}

/** What can be done with one level; a core level can't be deleted, and says why. */
export function LevelActions({ model, record, onDelete }: LevelActionsProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { search } = useLocation();
  const { permissions, paths } = model;
  const name = record.repr;
  const edit = () => void navigate({ pathname: paths.edit(record.id), search }, { state: OPENED_FROM_LIST });
  const duplicate = () => void navigate(toCopyAddress(model, record.id, search), { state: OPENED_FROM_LIST });
  return (
    <span className="row-actions">
      {permissions.update && (
        <RowButton
          icon={<EditOutlined {...DECORATIVE} />}
          label={t("accessLevels.edit", { name })}
          onClick={edit}
        />
      )}
      {canCopy(model) && (
        <RowButton
          icon={<CopyOutlined {...DECORATIVE} />}
          label={t("list.duplicateRow", { name })}
          onClick={duplicate}
        />
      )}
      {permissions.delete && (
        <RowButton
          danger
          icon={<DeleteOutlined {...DECORATIVE} />}
          label={t("accessLevels.delete", { name })}
          blocked={record.is_core === true ? t("accessLevels.coreStays") : undefined}
          onClick={onDelete}
        />
      )}
    </span>
  );
}
