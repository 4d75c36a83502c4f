import { useOne } from "@refinedev/core";
import { useTranslation } from "react-i18next";
import type { ModelRecord } from "#contract/models.ts";
import { isDataError } from "#providers/data.ts";
import { usersResource } from "#resources/users.ts";

const NAME_STALE_MS = 120_000;

/** What people call a person by the number in an address; an account that is no more has its pseudonym. */
export function useUserName(id: number | undefined): string {
  const { t } = useTranslation();
  const { query, result } = useOne<ModelRecord>({
    resource: usersResource.name,
    id: id ?? 0,
    queryOptions: { enabled: id !== undefined, staleTime: NAME_STALE_MS, retry: false },
    errorNotification: false,
  });
  if (result) return result.repr;
  const isGone = isDataError(query.error) && query.error.statusCode === 404;
  return isGone ? t("audit.deletedAccount", { id }) : `#${id}`;
}
