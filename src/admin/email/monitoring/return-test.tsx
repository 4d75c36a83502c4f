import { CheckCircleFilled, ExclamationCircleFilled, LoadingOutlined } from "@ant-design/icons";
import { Button, Radio } from "antd";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import type { MailSourcesAnswer } from "#contract/mail/sources.ts";
import { DECORATIVE } from "../../ui/accessibility.ts";
import { toErrorText } from "../../ui/errors.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { type ReturnTest, type TestStep, useSourceCall } from "./use-mail-sources.ts";

const ICONS = {
  queued: <LoadingOutlined {...DECORATIVE} />,
  waiting: <LoadingOutlined {...DECORATIVE} />,
  reported: <CheckCircleFilled {...DECORATIVE} />,
  refused: <ExclamationCircleFilled {...DECORATIVE} />,
  over: <ExclamationCircleFilled {...DECORATIVE} />,
} as const satisfies Record<TestStep, unknown>;

function useStepText(test: ReturnTest, step: TestStep): string {
  const { t } = useTranslation();
  if (step !== "reported") return t(`emailMonitoring.test.state.${step}`);
  const source = t(`emailMonitoring.sources.names.${test.source ?? "outbox"}`);
  const seconds = test.took_seconds;
  if (seconds === null) return t("emailMonitoring.test.state.reported", { source });
  return t("emailMonitoring.test.state.reportedIn", { source, count: Math.round(seconds) });
}

/** What has become of the test mail; screen readers announce each step. */
function Progress({ test, step }: { test: ReturnTest; step: TestStep }) {
  const { t } = useTranslation();
  const text = useStepText(test, step);
  return (
    <div className="return-test-state" data-step={step}>
      <p className="return-test-mail">
        {t("emailMonitoring.test.to", { email: test.email })}, <RelativeTime moment={test.asked_at} />
      </p>
      <p role="status">
        {ICONS[step]} {text}
      </p>
      {test.response !== null && (
        <p className="return-test-mail">{t("emailMonitoring.test.response", { response: test.response })}</p>
      )}
    </div>
  );
}

interface ReturnTestPartProps {
  answer: MailSourcesAnswer;
  step: TestStep | undefined;
  onStart: () => void;
  onChanged: () => void;
}

/** Sends a mail that comes back, to see whether anybody reports it. */
export function ReturnTestPart({ answer: { targets, test }, step, onStart, onChanged }: ReturnTestPartProps) {
  const { t } = useTranslation();
  const id = useId();
  const [chosen, choose] = useState(targets[0]?.name);
  const { send, error, isPending } = useSourceCall();
  const target = targets.find(({ name }) => name === chosen) ?? targets[0];
  const start = () => {
    if (!target) return;
    const sent = send("test/", { target: target.name });
    // The reason of a failure is drawn below.
    void sent.then(onStart, () => undefined).then(onChanged);
  };
  return (
    <section className="return-test" aria-labelledby={id}>
      <h3 id={id}>{t("emailMonitoring.test.title")}</h3>
      <p>{t(target ? "emailMonitoring.test.help" : "emailMonitoring.test.none")}</p>
      {targets.length > 1 && (
        <Radio.Group
          aria-label={t("emailMonitoring.test.target")}
          value={target?.name}
          onChange={(event) => choose(event.target.value)}
        >
          {targets.map(({ name, email }) => (
            <Radio key={name} value={name}>
              {t(`emailMonitoring.test.targets.${name}`)} <span className="return-test-mail">{email}</span>
            </Radio>
          ))}
        </Radio.Group>
      )}
      {target && (
        <Button loading={isPending} disabled={step === "queued" || step === "waiting"} onClick={start}>
          {t("emailMonitoring.test.send")}
        </Button>
      )}
      {error && (
        <p role="alert" className="source-bad">
          {t("emailMonitoring.test.failed")}: {toErrorText(error, t)}
        </p>
      )}
      {test && step && <Progress test={test} step={step} />}
    </section>
  );
}
