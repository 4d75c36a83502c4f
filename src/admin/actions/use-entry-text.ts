import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import type { ActionEntry } from "#contract/admin-users.ts";
import type { FieldInfo } from "#contract/models.ts";
import { useModels } from "../models/use-models.ts";
import { describeEntry } from "../views/history/describe-entry.ts";

const NO_FIELDS: readonly FieldInfo[] = [];

/** Fields of the model that an entry speaks of, as far as the reader sees them. */
export function useEntryFields(): (entry: ActionEntry) => readonly FieldInfo[] {
  const { models } = useModels();
  return useCallback(
    (entry) => models.find((model) => model.content_type_id === entry.content_type_id)?.fields ?? NO_FIELDS,
    [models],
  );
}

/** What an entry says, as a sentence. */
export function useEntryText(): (entry: ActionEntry) => string {
  const { t, i18n } = useTranslation();
  const toFields = useEntryFields();
  return (entry) => describeEntry(entry, toFields(entry), t, i18n.language);
}
