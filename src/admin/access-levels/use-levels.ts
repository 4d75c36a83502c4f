import { useList } from "@refinedev/core";
import { useMemo } from "react";
import { ADMIN_LIMITS } from "#contract/admin-limits.ts";
import type { ModelRecord } from "#contract/models.ts";
import { accessLevelsResource } from "#resources/access-levels.ts";
import type { LevelChoice } from "#resources/user-record.ts";

/** Levels seldom change, and writes of this page forget them. */
const LEVELS_STALE_MS = 600_000;

function toChoice({ repr, level, is_active }: ModelRecord): LevelChoice {
  return { level: Number(level), label: repr, isActive: is_active !== false };
}

/** Every access level by its number, for choosing one. */
export function useLevels() {
  const { query, result } = useList<ModelRecord>({
    resource: accessLevelsResource.name,
    pagination: { currentPage: 1, pageSize: ADMIN_LIMITS.pageSizeMax },
    queryOptions: { staleTime: LEVELS_STALE_MS },
    errorNotification: false,
  });
  const levels = useMemo(
    () => result.data.map(toChoice).toSorted((left, right) => left.level - right.level),
    [result.data],
  );
  return { query, levels };
}

export type LevelsQuery = ReturnType<typeof useLevels>["query"];
