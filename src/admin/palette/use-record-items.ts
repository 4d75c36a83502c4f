import { useCustom } from "@refinedev/core";
import { keepPreviousData } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { ADMIN_LIMITS } from "#contract/admin-limits.ts";
import { SEARCH_MIN_CHARS, type SearchResult, searchAnswer } from "#contract/search.ts";
import { isDataError } from "#providers/data.ts";
import { useToRelated } from "../models/use-models.ts";
import { useDebounced } from "../ui/timing.ts";
import { match } from "./match.ts";
import type { PaletteItem } from "./palette-item.ts";

const TYPING_PAUSE_MS = 200;
const STALE_MS = 10_000;
const NOT_FOUND = 404;

export interface RecordItems {
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
export function useRecordItems(typed: string): RecordItems {
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
