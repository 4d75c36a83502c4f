import { useCustom } from "@refinedev/core";
import { useTranslation } from "react-i18next";
import { batchAnswer } from "#contract/batch.ts";
import { isDataError } from "#providers/data.ts";
import type { BatchAction } from "#resources/record-source.ts";
import { toErrorText } from "../../../parts/error-text.ts";

/** How many rows each remark is of, the most frequent first. */
function countRemarks(results: readonly { message: string | null }[]) {
  const counts = new Map<string, number>();
  for (const { message } of results) if (message) counts.set(message, (counts.get(message) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a);
}

interface ActionPreviewProps {
  preview: NonNullable<BatchAction["preview"]>;
  ids: readonly number[];
}

/** What would become of the rows, as the server tries it out; nothing where it can't. */
export function ActionPreview({ preview: { path, idsName }, ids }: ActionPreviewProps) {
  const { t } = useTranslation();
  const { query } = useCustom({
    url: path,
    method: "post",
    config: { payload: { [idsName]: ids } },
    queryOptions: { staleTime: 0, gcTime: 0, select: ({ data }) => ({ data: batchAnswer.parse(data) }) },
    errorNotification: false,
  });
  const { error } = query;
  if (isDataError(error) && error.statusCode === 404) return null;
  if (error) return <p role="status">{t("list.batch.previewFailed", { reason: toErrorText(error, t) })}</p>;
  const answer = batchAnswer.safeParse(query.data?.data).data;
  if (!answer) return <p role="status">{t("list.batch.previewLoading")}</p>;
  const { results = [] } = answer;
  if (results.length === 0) return null;
  const [only] = results.length === 1 ? results : [];
  if (only?.message) return <p role="status">{t("list.batch.previewOne", { text: only.message })}</p>;
  return (
    <div role="status">
      <p>{t("list.batch.preview", { count: results.filter(({ ok }) => ok).length })}</p>
      <ul>
        {countRemarks(results).map(([reason, count]) => (
          <li key={reason}>{t("list.batch.previewLeft", { count, reason })}</li>
        ))}
      </ul>
    </div>
  );
}
