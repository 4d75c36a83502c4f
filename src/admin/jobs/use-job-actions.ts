import { useCustomMutation, useNotification } from "@refinedev/core";
import { useTranslation } from "react-i18next";
import { job as jobSchema } from "#contract/bulk.ts";
import { toErrorText } from "../ui/errors.tsx";
import { JOBS_API, useJobsCache } from "./use-jobs.ts";

/** Cancels and resumes one job. */
export function useJobActions(id: string) {
  const { t } = useTranslation();
  const { open } = useNotification();
  const { put } = useJobsCache();
  const { mutateAsync, mutation } = useCustomMutation();

  async function send(verb: "cancel" | "resume"): Promise<void> {
    try {
      const { data } = await mutateAsync({
        url: `${JOBS_API}${id}/${verb}/`,
        method: "post",
        values: {},
        successNotification: false,
        errorNotification: false,
      });
      put(jobSchema.parse(data));
      if (verb === "resume") open?.({ key: `job-${id}`, type: "success", message: t("jobs.resumed") });
    } catch (error) {
      const message = t(verb === "cancel" ? "jobs.failedCancel" : "jobs.failedResume");
      open?.({ key: `job-${id}`, type: "error", message, description: toErrorText(error, t) });
    }
  }

  return {
    cancel: () => send("cancel"),
    resume: () => send("resume"),
    isSending: mutation.isPending,
  };
}
