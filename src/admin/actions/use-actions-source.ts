import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { FOLDED_FIELD } from "#resources/action-grouping.ts";
import { ACTION_MODEL, buildActionsSource } from "#resources/actions.ts";
import type { RecordSource } from "#resources/record-source.ts";
import { USER_MODEL } from "#resources/users.ts";
import { useModels } from "../models/use-models.ts";
import { useModelPermissions } from "../use-model-permissions.ts";

/** The audit log as the generic views see it, for the person who is signed in. */
export function useActionsSource(): RecordSource {
  const { t } = useTranslation();
  const { models } = useModels();
  const { permissions, contentTypeId } = useModelPermissions(ACTION_MODEL);
  const users = useModelPermissions(USER_MODEL);
  const userContentTypeId = users.permissions.view ? users.contentTypeId : undefined;
  return useMemo(() => {
    const choices = models.map((model) => ({
      value: String(model.content_type_id),
      label: model.verbose_name,
    }));
    const log = models.find(({ app_label, model_name }) => `${app_label}.${model_name}` === ACTION_MODEL);
    return buildActionsSource({
      t,
      count: log?.count ?? 0,
      hasGroups: log?.fields.some(({ name }) => name === FOLDED_FIELD) ?? false,
      canView: permissions.view,
      contentTypeId,
      userContentTypeId,
      models: choices,
    });
  }, [t, permissions.view, contentTypeId, userContentTypeId, models]);
}
