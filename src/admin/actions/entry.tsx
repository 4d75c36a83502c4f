import {
  DeleteOutlined,
  EditOutlined,
  EyeOutlined,
  ImportOutlined,
  LogoutOutlined,
  PlusOutlined,
  WarningOutlined,
} from "@ant-design/icons";
import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import { type ActionEntry, actionEntry } from "#contract/accounts/admin-users.ts";
import type { FieldInfo, ModelRecord } from "#contract/content/models.ts";
import { useModels, useToRelated } from "../models/use-models.ts";
import { toId } from "../navigation/addresses.ts";
import { DECORATIVE } from "../ui/accessibility.ts";
import { describeEntry } from "../views/history/describe-entry.ts";

/** The documented item behind a row of the log. */
export function parseEntry(record: ModelRecord): ActionEntry {
  return actionEntry.parse(record);
}

type Person = NonNullable<ActionEntry["user"]>;

/** First and last name, else the username. */
export function toPersonName({ first_name, last_name, username }: Person): string {
  return [first_name, last_name].filter(Boolean).join(" ") || username;
}

/** Address of what an entry speaks of; undefined where it was deleted, or the reader may not see its model. */
export function useEntryAddress(): (entry: ActionEntry) => string | undefined {
  const toRelated = useToRelated();
  return useCallback(
    ({ action_type, content_type_id, object_id, is_object_gone }) => {
      const id = toId(object_id ?? undefined);
      if (action_type === "DELETE" || is_object_gone || content_type_id === null || Number.isNaN(id))
        return undefined;
      return toRelated(content_type_id, id);
    },
    [toRelated],
  );
}

const NO_FIELDS: readonly FieldInfo[] = [];

/** Fields of the model that an entry speaks of, as far as the reader sees them. */
export function useEntryFields(): (entry: ActionEntry) => readonly FieldInfo[] {
  const { models } = useModels();
  return useCallback(
    (entry) => models.find((source) => source.content_type_id === entry.content_type_id)?.fields ?? NO_FIELDS,
    [models],
  );
}

/** What an entry says, as a sentence. */
export function useEntryText(): (entry: ActionEntry) => string {
  const { t, i18n } = useTranslation();
  const toFields = useEntryFields();
  return (entry) => describeEntry(entry, toFields(entry), t, i18n.language);
}

const ACTION_ICONS = {
  CREATE: PlusOutlined,
  UPDATE: EditOutlined,
  DELETE: DeleteOutlined,
  VIEW: EyeOutlined,
  // LoginOutlined holds a style element, which the content security policy refuses.
  LOGIN: ImportOutlined,
  LOGOUT: LogoutOutlined,
} as const;

/** Details that somebody should look at. */
const ALARMING: ReadonlySet<string> = new Set([
  "failed_code",
  "failed_confirmation",
  "failed_sign_in",
  "insufficient_permissions",
  "token_reuse",
  "too_many_confirmations",
  "too_many_sign_ins",
]);

/** The kind of action as an icon, in its colour; a warning where something was refused. */
export function ActionIcon({ entry: { action_type, detail } }: { entry: ActionEntry }) {
  const isAlarming = detail !== null && ALARMING.has(detail);
  const Icon = isAlarming ? WarningOutlined : ACTION_ICONS[action_type];
  return <Icon {...DECORATIVE} className="action-icon" data-kind={isAlarming ? "alarm" : action_type} />;
}
