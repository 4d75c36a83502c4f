import { useMemo, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import type { RecordSource } from "#resources/record-source.ts";
import type { LevelChoice } from "#resources/user-record.ts";
import { buildUsersSource, USER_MODEL } from "#resources/users.ts";
import { useServices } from "../services.ts";
import { useModelPermissions } from "../use-model-permissions.ts";

/** Users as the generic views see them, for the person who is signed in. */
export function useUsersSource(levels: readonly LevelChoice[]): RecordSource {
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
