import "./sample.css";
import { ExperimentOutlined } from "@ant-design/icons";
import { Button } from "antd";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { SampleAnswer, SampleRemoval } from "#contract/sample.ts";
import { DECORATIVE } from "../ui/accessibility.ts";
import { toErrorText } from "../ui/errors.tsx";
import { SampleCounts } from "./removal.tsx";
import { RemovalResult } from "./removal-result.tsx";
import { RemoveDialog } from "./remove-dialog.tsx";
import { useRemoveSample, useSample } from "./use-sample.ts";

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

/** Tells that sample content is left, and removes it. Nothing where there is none, or where the person may not remove it. */
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
