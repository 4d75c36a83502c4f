import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { ACCESS_LEVEL_MODEL, buildAccessLevelsSource } from "#resources/access-levels.ts";
import type { RecordSource } from "#resources/record-source.ts";
import { useModelPermissions } from "../use-model-permissions.ts";

/** Access levels as the generic views see them, for the person who is signed in. */
export function useAccessLevelsSource(): RecordSource {
  const { t } = useTranslation();
  const { permissions, contentTypeId } = useModelPermissions(ACCESS_LEVEL_MODEL);
  return useMemo(
    () => buildAccessLevelsSource({ t, permissions, contentTypeId }),
    [t, permissions, contentTypeId],
  );
}
