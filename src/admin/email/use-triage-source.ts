import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { TriageParts } from "#resources/email-triage.ts";
import type { RecordSource } from "#resources/record-source.ts";
import { USER_MODEL } from "#resources/users.ts";
import { useModelPermissions } from "../use-model-permissions.ts";

/** A list of the e-mail triage for the person who is signed in. `build` stays the same. */
export function useTriageSource(model: string, build: (parts: TriageParts) => RecordSource): RecordSource {
  const { t } = useTranslation();
  const { permissions, contentTypeId } = useModelPermissions(model);
  const users = useModelPermissions(USER_MODEL);
  const userContentTypeId = users.permissions.view ? users.contentTypeId : undefined;
  const canView = permissions.view;
  return useMemo(
    () => build({ t, canView, contentTypeId, userContentTypeId }),
    [build, t, canView, contentTypeId, userContentTypeId],
  );
}
