import type { Job } from "#contract/bulk.ts";
import type { Language } from "#contract/languages.ts";
import type { Registry } from "#server/models/registry/registry.ts";
import type { JobRow } from "./job-store.ts";
import { toBulkText, toReasonText, toSummary } from "./texts.ts";

/** Where a job stands, in words. */
function toMessage(job: JobRow, lang: Language): string {
  const counts = { affected: job.affected_count, skipped: job.skipped_count, failed: job.failed_count };
  const summary = toSummary(job.operation, counts, lang);
  switch (job.status) {
    case "queued":
    case "cancelling":
      return toBulkText(job.status, lang);
    case "running":
      return toBulkText("running", lang, { done: job.done_count, total: job.total_count });
    case "cancelled":
      return toBulkText("cancelled", lang, { summary });
    case "failed":
      return toBulkText("stopped", lang, { reason: toReasonText(job.message, lang), summary });
    case "done":
      return summary;
  }
}

/** A job as it travels. */
export function toJob(
  job: JobRow,
  { username, isResumable }: { username: string | null; isResumable: boolean },
  registry: Registry,
  lang: Language,
): Job {
  const model = registry.byContentTypeId.get(job.content_type_id);
  return {
    id: job.id,
    operation: job.operation,
    content_type_id: job.content_type_id,
    verbose_name: model?.pluralLabels[lang] ?? `#${job.content_type_id}`,
    status: job.status,
    total_count: job.total_count,
    done_count: job.done_count,
    affected_count: job.affected_count,
    skipped_count: job.skipped_count,
    failed_count: job.failed_count,
    is_resumable: isResumable,
    message: toMessage(job, lang),
    created_at: job.created_at,
    started_at: job.started_at,
    finished_at: job.finished_at,
    user: job.user_id === null || username === null ? null : { id: job.user_id, username },
  };
}
