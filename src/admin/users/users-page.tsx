import "./users.css";
import { useList } from "@refinedev/core";
import { Alert, Button } from "antd";
import { useCallback, useMemo, useState, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { ADMIN_LIMITS } from "#contract/content/lists.ts";
import type { ModelRecord } from "#contract/content/models.ts";
import { accessLevelsResource } from "#resources/access-levels.ts";
import type { RecordSource } from "#resources/record-source.ts";
import type { LevelChoice } from "#resources/user-record.ts";
import { buildUsersSource, USER_MODEL } from "#resources/users.ts";
import { useModelPermissions, useServices } from "../services.ts";
import { toErrorText } from "../ui/errors.tsx";
import { ListPage } from "../views/list/list-page.tsx";
import { DeleteRow } from "../views/record-actions/delete-row.tsx";
import { ChangeDialog } from "./change-dialog.tsx";
import { EndSessionsDialog } from "./end-sessions-dialog.tsx";
import { toPersonName, UserActions, type UserOperation } from "./user-actions.tsx";
import { USER_CELLS } from "./user-cells.tsx";
import { AskContext, UserHead } from "./user-head.tsx";

/** Users as the generic views see them, for the person who is signed in. */
function useUsersSource(levels: readonly LevelChoice[]): RecordSource {
  const { t } = useTranslation();
  const { permissions: known, session } = useServices();
  const { permissions, contentTypeId } = useModelPermissions(USER_MODEL);
  const id = useSyncExternalStore(session.subscribe, () => session.getAuthState()?.user.id ?? 0);
  const { accessLevel } = known;
  return useMemo(
    () => buildUsersSource({ t, permissions, own: { id, accessLevel }, contentTypeId, levels }),
    [t, permissions, id, accessLevel, contentTypeId, levels],
  );
}

/** Levels seldom change, and writes of this page forget them. */
const LEVELS_STALE_MS = 600_000;

function toChoice({ repr, level, is_active }: ModelRecord): LevelChoice {
  return { level: Number(level), label: repr, isActive: is_active !== false };
}

/** Every access level by its number, for choosing one. */
function useLevels() {
  const { query, result } = useList<ModelRecord>({
    resource: accessLevelsResource.name,
    pagination: { currentPage: 1, pageSize: ADMIN_LIMITS.pageSizeMax },
    queryOptions: { staleTime: LEVELS_STALE_MS },
    errorNotification: false,
  });
  const levels = useMemo(
    () => result.data.map(toChoice).toSorted((left, right) => left.level - right.level),
    [result.data],
  );
  return { query, levels };
}

type LevelsQuery = ReturnType<typeof useLevels>["query"];

/** Says that there are no levels to choose from, with the way to try again. */
function LevelsFailed({ query }: { query: LevelsQuery }) {
  const { t } = useTranslation();
  if (!query.isError || query.data) return null;
  return (
    <Alert
      className="levels-failed"
      type="error"
      showIcon
      role="alert"
      message={t("accessLevels.failed.load")}
      description={toErrorText(query.error, t)}
      action={<Button onClick={() => void query.refetch()}>{t("actions.retry")}</Button>}
    />
  );
}

const PARTS = { Head: UserHead };

interface Asked {
  operation: UserOperation;
  record: ModelRecord;
}

/**
 * `/admin/users` (specification B section 2): the generic list over the documented endpoints, and what one does with an
 * account.
 */
export function UsersPage() {
  const { query, levels } = useLevels();
  const source = useUsersSource(levels);
  const [asked, setAsked] = useState<Asked>();
  const close = () => setAsked(undefined);
  const ask = useCallback(
    (operation: UserOperation, record: ModelRecord) =>
      setAsked({ operation, record: { ...record, repr: toPersonName(record) } }),
    [],
  );
  const rowActions = useCallback(
    (record: ModelRecord) => (
      <UserActions source={source} record={record} onAsk={(operation) => ask(operation, record)} />
    ),
    [source, ask],
  );
  return (
    <AskContext value={source.permissions.update ? ask : null}>
      <LevelsFailed query={query} />
      <ListPage source={source} cells={USER_CELLS} rowActions={rowActions} recordParts={PARTS} />
      {asked?.operation === "delete" && <DeleteRow source={source} record={asked.record} onClose={close} />}
      {asked?.operation === "endSessions" && <EndSessionsDialog record={asked.record} onClose={close} />}
      {asked && asked.operation !== "delete" && asked.operation !== "endSessions" && (
        <ChangeDialog source={source} change={asked.operation} record={asked.record} onClose={close} />
      )}
    </AskContext>
  );
}
