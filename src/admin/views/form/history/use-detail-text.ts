import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import type { HistoryEntry } from "#contract/models.ts";
import { describeDetail } from "../../history/describe-entry.ts";

/** How something was done, in the words of the audit log; without a sentence for it, what the server wrote. */
export function useDetailText(): (entry: HistoryEntry) => string {
  const { t } = useTranslation();
  return useCallback(
    (entry) => {
      const text = describeDetail(entry, t);
      if (text !== undefined) return text;
      return Object.keys(entry.changes).length > 0 ? "" : entry.change_message;
    },
    [t],
  );
}
