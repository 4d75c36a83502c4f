import "./sample.css";
import { ExperimentOutlined } from "@ant-design/icons";
import { useCustom, useCustomMutation } from "@refinedev/core";
import { useQueryClient } from "@tanstack/react-query";
import { Button } from "antd";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import {
  SAMPLE_MODELS,
  type SampleAnswer,
  type SampleRemoval,
  sampleAnswer,
  sampleRemoval,
} from "#contract/site/site.ts";
import { isDataError } from "#providers/refine/data-error.ts";
import { useServices } from "../services.ts";
import { DECORATIVE } from "../ui/accessibility.ts";
import { toErrorText } from "../ui/errors.tsx";
import { RemovalResult, RemoveDialog, SampleCounts } from "./removal.tsx";

const SAMPLE_API = "/api/admin/sample/";

/** Whether the person may take all of the sample content away; nobody else asks for it. */
function useMayRemove(): boolean {
  const { permissions } = useServices();
  return SAMPLE_MODELS.every((model) => permissions.can("delete", model));
}

/** What is left of the sample content. Another back end with the same endpoints may have none of it: 404, and nothing is wrong. */
function useSample() {
  const mayRemove = useMayRemove();
  const { query } = useCustom({
    url: SAMPLE_API,
    method: "get",
    queryOptions: {
      enabled: mayRemove,
      staleTime: 0,
      select: ({ data }) => ({ data: sampleAnswer.parse(data) }),
    },
    errorNotification: false,
  });
  const isMissing = isDataError(query.error) && [403, 404].includes(query.error.statusCode);
  return {
    models: mayRemove ? (sampleAnswer.safeParse(query.data?.data).data?.models ?? []) : [],
    error: isMissing ? null : query.error,
    retry: () => void query.refetch(),
  };
}

/** Removes it. Afterwards no list, count or figure of the console is what it was: all that is shown is fetched anew. */
function useRemoveSample() {
  const queryClient = useQueryClient();
  const { mutateAsync, mutation } = useCustomMutation();
  return {
    isRemoving: mutation.isPending,
    async remove() {
      const { data } = await mutateAsync({
        url: `${SAMPLE_API}remove/`,
        method: "post",
        values: {},
        successNotification: false,
        errorNotification: false,
      });
      void queryClient.invalidateQueries();
      return sampleRemoval.parse(data);
    },
  };
}

interface OfferProps {
  models: SampleAnswer["models"];
  onRemoved: (removal: SampleRemoval) => void;
}

/** What the sample content is, and the one button that takes it away. */
function Offer({ models, onRemoved }: OfferProps) {
  const { t } = useTranslation();
  const [isAsking, setAsking] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const { remove, isRemoving } = useRemoveSample();
  // A second click may come before the first one is drawn. After a success this gives way to the result.
  const isUnderWay = useRef(false);

  async function run(): Promise<void> {
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    setFailure(null);
    try {
      onRemoved(await remove());
    } catch (error) {
      isUnderWay.current = false;
      setFailure(error);
    }
    setAsking(false);
  }

  return (
    <>
      <h2>
        <ExperimentOutlined {...DECORATIVE} /> {t("sample.title")}
      </h2>
      <p>{t("sample.text")}</p>
      <SampleCounts counts={models.map((model) => ({ ...model, count: model.untouched_count }))} />
      <Button danger loading={isRemoving} onClick={() => setAsking(true)}>
        {t("sample.remove")}
      </Button>
      <div role="alert">
        {failure !== null && (
          <p className="sample-failure">
            {t("sample.failed")}: {toErrorText(failure, t)}{" "}
            <Button onClick={() => void run()}>{t("actions.retry")}</Button>
          </p>
        )}
      </div>
      {isAsking && (
        <RemoveDialog
          models={models}
          isRemoving={isRemoving}
          onRemove={() => void run()}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}

/** The result takes the place of the button that had the focus. */
function Result(props: { removal: SampleRemoval; onDismiss: () => void }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), []);
  return (
    <div ref={box} tabIndex={-1} className="sample-body" role="status">
      <RemovalResult {...props} />
    </div>
  );
}

/** Says that sample content is left, and removes it. Nothing where there is none, or where the person may not remove it. */
export function SampleCard() {
  const { t } = useTranslation();
  const { models, error, retry } = useSample();
  const [removal, setRemoval] = useState<SampleRemoval | null>(null);
  const isLeft = models.some((model) => model.untouched_count > 0);
  if (removal) {
    return (
      <section className="sample-card is-done" aria-label={t("sample.done")}>
        <Result removal={removal} onDismiss={() => setRemoval(null)} />
      </section>
    );
  }
  if (isLeft) {
    return (
      <section className="sample-card" aria-label={t("sample.title")}>
        <Offer models={models} onRemoved={setRemoval} />
      </section>
    );
  }
  if (!error) return null;
  return (
    <section className="sample-card" aria-label={t("sample.failedLoad")}>
      <p role="alert">
        {t("sample.failedLoad")}: {toErrorText(error, t)}
      </p>
      <Button onClick={retry}>{t("actions.retry")}</Button>
    </section>
  );
}
