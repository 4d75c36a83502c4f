import { CopyOutlined, DeleteOutlined, EditOutlined, LockOutlined } from "@ant-design/icons";
import { Tag } from "antd";
import { useCallback, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation, useNavigate } from "react-router";
import type { ModelRecord } from "#contract/content/models.ts";
import { ACCESS_LEVEL_MODEL, buildAccessLevelsSource } from "#resources/access-levels.ts";
import type { RecordSource } from "#resources/record-source.ts";
import { useModelPermissions } from "../services.ts";
import { DECORATIVE } from "../ui/accessibility.ts";
import { RowButton } from "../ui/row-button.tsx";
import type { RowCells } from "../views/list/columns/columns.ts";
import { ListPage } from "../views/list/list-page.tsx";
import { DeleteRow } from "../views/record-actions/delete-row.tsx";
import { OPENED_FROM_LIST } from "../views/state/list-context.ts";
import { canCopy, toCopyAddress } from "../views/state/record-address.ts";

/** Access levels as the generic views see them, for the person who is signed in. */
function useAccessLevelsSource(): RecordSource {
  const { t } = useTranslation();
  const { permissions, contentTypeId } = useModelPermissions(ACCESS_LEVEL_MODEL);
  return useMemo(
    () => buildAccessLevelsSource({ t, permissions, contentTypeId }),
    [t, permissions, contentTypeId],
  );
}

function CoreCell({ record }: { record: ModelRecord }) {
  const { t } = useTranslation();
  if (record.is_core !== true) return t("cell.no");
  return (
    <Tag icon={<LockOutlined {...DECORATIVE} />} title={t("accessLevels.coreStays")}>
      {t("accessLevels.core")}
    </Tag>
  );
}

const LEVEL_CELLS: RowCells = { is_core: CoreCell };

interface LevelActionsProps {
  source: RecordSource;
  record: ModelRecord;
  onDelete: () => void;
}

/** What can be done with one level; a core level can't be deleted, and says why. */
function LevelActions({ source, record, onDelete }: LevelActionsProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { search } = useLocation();
  const { permissions, paths } = source;
  const name = record.repr;
  const edit = () => void navigate({ pathname: paths.edit(record.id), search }, { state: OPENED_FROM_LIST });
  const duplicate = () =>
    void navigate(toCopyAddress(source, record.id, search), { state: OPENED_FROM_LIST });
  return (
    <span className="row-actions">
      {permissions.update && (
        <RowButton
          icon={<EditOutlined {...DECORATIVE} />}
          label={t("accessLevels.edit", { name })}
          onClick={edit}
        />
      )}
      {canCopy(source) && (
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

/** `/admin/access-levels`: the generic list over the documented endpoints. */
export function AccessLevelsPage() {
  const source = useAccessLevelsSource();
  const [deleted, setDeleted] = useState<ModelRecord>();
  const rowActions = useCallback(
    (record: ModelRecord) => (
      <LevelActions source={source} record={record} onDelete={() => setDeleted(record)} />
    ),
    [source],
  );
  const { update, delete: mayDelete } = source.permissions;
  return (
    <>
      <ListPage source={source} cells={LEVEL_CELLS} {...((update || mayDelete) && { rowActions })} />
      {deleted && <DeleteRow source={source} record={deleted} onClose={() => setDeleted(undefined)} />}
    </>
  );
}
