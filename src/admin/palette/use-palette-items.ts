import { useCustom, useGetIdentity } from "@refinedev/core";
import { keepPreviousData } from "@tanstack/react-query";
import type { TFunction } from "i18next";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { AccountUser } from "#contract/accounts/accounts.ts";
import { ADMIN_LIMITS, SEARCH_MIN_CHARS, type SearchResult, searchAnswer } from "#contract/content/lists.ts";
import { toLanguage } from "#contract/languages.ts";
import { isDataError } from "#providers/refine/data-error.ts";
import type { RecordSource } from "#resources/record-source.ts";
import { toModelPath, useModels, useToRelated } from "../models/use-models.ts";
import type { Screen } from "../navigation/screens.tsx";
import { useDebounced } from "../ui/timing.ts";
import { match } from "./match.ts";
import { type PaletteItem, rankItems, type ShownItem } from "./palette-item.ts";
import { readRecent } from "./recent.ts";
import { useActionItems } from "./use-action-items.ts";

/** What can be done with one model: its list, a new record, the bulk page, as far as the permissions go. */
function toItemsOfModel(source: RecordSource, t: TFunction): PaletteItem[] {
  const { content_type_id, app_label, model_name, is_singleton, permissions } = source;
  const name = source.verbose_name_plural;
  const list = toModelPath(source);
  // Users, access levels and the log have screens of their own, which are listed as such.
  const hasOwnScreen = list !== source.paths.list;
  const common = { group: "models", keywords: [`${app_label}.${model_name}`, source.verbose_name] } as const;
  const items: PaletteItem[] = [];
  if (!hasOwnScreen) {
    const label = is_singleton ? source.verbose_name : name;
    items.push({ ...common, id: `model:${content_type_id}`, label, icon: "models", target: { to: list } });
  }
  if (permissions.create && !is_singleton) {
    items.push({
      ...common,
      id: `create:${content_type_id}`,
      label: t("palette.create", { name: source.verbose_name }),
      icon: "create",
      target: { to: hasOwnScreen ? `${list}/new` : source.paths.create },
      isOnlySearched: true,
    });
  }
  const canWriteMany = permissions.update || permissions.delete;
  if (canWriteMany && !is_singleton && !hasOwnScreen && source.paths.bulk !== null) {
    items.push({
      ...common,
      id: `bulk:${content_type_id}`,
      label: t("palette.bulk", { name }),
      icon: "bulk",
      target: { to: source.paths.bulk },
      isOnlySearched: true,
    });
  }
  return items;
}

function toModelItems(models: readonly RecordSource[], t: TFunction): PaletteItem[] {
  return models.flatMap((source) => toItemsOfModel(source, t));
}

/** The sidebar's screens. `tOther` says their names in the other language, by which they are found too. */
function toScreenItems(screens: readonly Screen[], t: TFunction, tOther: TFunction): PaletteItem[] {
  return screens.map(({ name, to, labelKey, icon, keys }) => ({
    id: `screen:${name}`,
    group: "screens",
    label: t(labelKey),
    keywords: [tOther(labelKey)],
    icon,
    keys,
    target: { to },
  }));
}

const TYPING_PAUSE_MS = 200;
const STALE_MS = 10_000;
const NOT_FOUND = 404;

interface RecordItems {
  items: PaletteItem[];
  isSearching: boolean;
  /** The search failed, but for a back end that has none. */
  error: { message: string } | null;
  /** Something was left out: too slow, or too short a text. */
  isPartial: boolean;
}

type ToAddress = ReturnType<typeof useToRelated>;

/** Results of a model that the console doesn't know lead nowhere. */
function toRecordItems(
  { content_type_id, verbose_name, id, repr }: SearchResult,
  toAddress: ToAddress,
): PaletteItem[] {
  const to = toAddress(content_type_id, id);
  if (to === undefined) return [];
  const label = repr.trim() === "" ? `#${id}` : repr;
  return [
    {
      id: `record:${content_type_id}:${id}`,
      group: "records",
      label,
      hint: verbose_name,
      icon: "record",
      target: { to },
    },
  ];
}

/**
 * Records by the server's search: asked once the typing pauses, and given up when it goes on. A back end without the endpoint
 * has no records to offer.
 */
function useRecordItems(typed: string): RecordItems {
  const { i18n } = useTranslation();
  const toAddress = useToRelated();
  const wanted = typed.trim().slice(0, ADMIN_LIMITS.searchMaxChars);
  const search = useDebounced(wanted, TYPING_PAUSE_MS);
  const isEnabled = [...wanted].length >= SEARCH_MIN_CHARS && [...search].length >= SEARCH_MIN_CHARS;
  const { query } = useCustom({
    url: "/api/admin/search/",
    method: "get",
    config: { query: { search } },
    errorNotification: false,
    queryOptions: {
      queryKey: ["palette", search, i18n.language],
      enabled: isEnabled,
      staleTime: STALE_MS,
      retry: false,
      placeholderData: keepPreviousData,
      select: ({ data }) => ({ data: searchAnswer.parse(data) }),
    },
  });
  const answer = isEnabled ? searchAnswer.safeParse(query.data?.data).data : undefined;
  const isOutdated = wanted !== search || query.isPlaceholderData;
  const results = answer?.results.flatMap((result) => toRecordItems(result, toAddress)) ?? [];
  const isMissing = isDataError(query.error) && query.error.statusCode === NOT_FOUND;
  return {
    // Of the text before, what the new one leaves stays until the answer is here.
    items: isOutdated ? results.filter(({ label }) => match(wanted, label)) : results,
    isSearching: [...wanted].length >= SEARCH_MIN_CHARS && (wanted !== search || query.isFetching),
    error: isEnabled && !isMissing && !query.isFetching ? query.error : null,
    isPartial: !isOutdated && answer?.is_complete === false,
  };
}

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
