import type { ParseKeys } from "i18next";
import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import type { HistoryEntry } from "#contract/models.ts";

/** How something was done, where the log says more than that it was; without a sentence for it, what the server wrote. */
export function useDetailText(): (entry: HistoryEntry) => string {
  const { t, i18n } = useTranslation();
  return useCallback(
    ({ detail, change_message: message, changes }) => {
      const key = `history.detail.${detail}`;
      // i18next has just said that this key is one.
      if (detail !== null && i18n.exists(key)) return t(key as ParseKeys);
      return Object.keys(changes).length > 0 ? "" : message;
    },
    [t, i18n],
  );
}
