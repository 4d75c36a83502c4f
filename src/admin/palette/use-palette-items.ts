import { useGetIdentity } from "@refinedev/core";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { AccountUser } from "#contract/accounts.ts";
import { toLanguage } from "#contract/languages.ts";
import type { Screen } from "../layout/use-screens.ts";
import { useModels } from "../models/use-models.ts";
import { toModelItems } from "./model-items.ts";
import type { ShownItem } from "./palette-item.ts";
import { rankItems } from "./rank-items.ts";
import { readRecent } from "./recent.ts";
import { toScreenItems } from "./screen-items.ts";
import { useActionItems } from "./use-action-items.ts";
import { type RecordItems, useRecordItems } from "./use-record-items.ts";

interface PaletteItems extends Omit<RecordItems, "items"> {
  items: ShownItem[];
}

/** Everything that the palette offers for what is typed, in the order of the list. */
export function usePaletteItems(
  typed: string,
  { screens, onOpenShortcuts }: { screens: readonly Screen[]; onOpenShortcuts: () => void },
): PaletteItems {
  const { t, i18n } = useTranslation();
  const { models } = useModels();
  const { data: user } = useGetIdentity<AccountUser>();
  const actions = useActionItems(onOpenShortcuts);
  const { items: records, ...state } = useRecordItems(typed);
  const places = useMemo(() => {
    const tOther = i18n.getFixedT(toLanguage(i18n.language) === "en" ? "tr" : "en");
    return [...toScreenItems(screens, t, tOther), ...toModelItems(models, t)];
  }, [screens, models, t, i18n]);
  const recent = useMemo(() => (user ? readRecent(user.id, places) : []), [user, places]);
  const isTyped = typed.trim() !== "";
  const offered = [...(isTyped ? [] : recent), ...places, ...actions, ...records];
  return { ...state, items: rankItems(typed, offered) };
}
