import { DownloadOutlined } from "@ant-design/icons";
import { useCustom, useNotification } from "@refinedev/core";
import { Button } from "antd";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { type JobFailure, jobFailuresAnswer } from "#contract/content/bulk.ts";
import { saveFile } from "../../ui/save-file.ts";
import { useServices } from "../services.ts";
import { DECORATIVE } from "../ui/accessibility.ts";
import { ErrorState, toErrorText } from "../ui/errors.tsx";
import { JOBS_API } from "./use-jobs.ts";

interface Reason {
  message: string;
  count: number;
}

/** How often each reason is among some rows, the most frequent first. */
function countReasons(failures: readonly JobFailure[]): readonly Reason[] {
  const counts = new Map<string, number>();
  for (const { message } of failures) counts.set(message, (counts.get(message) ?? 0) + 1);
  return [...counts].map(([message, count]) => ({ message, count })).sort((a, b) => b.count - a.count);
}

/** The first hundred rows that a job left alone; asked for once somebody wants to know. */
function useJobFailures(id: string, isAsked: boolean) {
  const { query } = useCustom({
    url: `${JOBS_API}${id}/failures/`,
    method: "get",
    queryOptions: {
      enabled: isAsked,
      staleTime: 0,
      select: ({ data }) => ({ data: jobFailuresAnswer.parse(data) }),
    },
    errorNotification: false,
  });
  return { query, answer: jobFailuresAnswer.safeParse(query.data?.data).data };
}

/** The whole list of rows, as the server streams it. */
function useFailuresFile(id: string) {
  const { t } = useTranslation();
  const { download } = useServices();
  const { open } = useNotification();
  const [isLoading, setLoading] = useState(false);
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  async function start(): Promise<void> {
    const controller = new AbortController();
    running.current = controller;
    setLoading(true);
    try {
      const answer = await download(`${JOBS_API}${id}/failures/?format=csv`, { signal: controller.signal });
      saveFile(await answer.blob(), `job-${id}.csv`);
    } catch (error) {
      if (!controller.signal.aborted) {
        const description = toErrorText(error, t);
        open?.({ key: `job-${id}`, type: "error", message: t("jobs.failedDownload"), description });
      }
    }
    setLoading(false);
  }
  return { start: () => void start(), isLoading };
}

function Reasons({ id }: { id: string }) {
  const { t, i18n } = useTranslation();
  const { query, answer } = useJobFailures(id, true);
  const format = new Intl.NumberFormat(i18n.language);
  if (query.isError) {
    return (
      <ErrorState title={t("jobs.failedReasons")} error={query.error} onRetry={() => void query.refetch()} />
    );
  }
  if (!answer) return <p role="status">{t("jobs.loadingReasons")}</p>;
  if (answer.failures.length === 0) return <p role="status">{t("jobs.reasonsNone")}</p>;
  return (
    <>
      <ul className="job-reasons" aria-live="polite">
        {countReasons(answer.failures).map(({ message, count }) => (
          <li key={message}>{t("jobs.reasonCount", { message, shown: format.format(count) })}</li>
        ))}
      </ul>
      {answer.next_after !== null && <p>{t("jobs.reasonsMore")}</p>}
    </>
  );
}

/** Why a job left objects alone: the reasons in short, and the whole list as a file. */
export function JobReasons({ id }: { id: string }) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const { start, isLoading } = useFailuresFile(id);
  return (
    <details className="job-details" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{t("jobs.reasons")}</summary>
      {isOpen && <Reasons id={id} />}
      <Button size="small" icon={<DownloadOutlined {...DECORATIVE} />} loading={isLoading} onClick={start}>
        {t("jobs.download")}
      </Button>
    </details>
  );
}
