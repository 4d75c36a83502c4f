import { useCustomMutation, useNotification } from "@refinedev/core";
import { Button } from "antd";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { DomainFindingAnswer, HealthStatus, SendingDomainAnswer } from "#contract/health.ts";
import { CopyButton } from "../ui/copy-button.tsx";
import { toErrorText } from "../ui/errors.tsx";
import { RelativeTime } from "../ui/relative-time.tsx";
import { StatusMark } from "./status.tsx";

const STATUS: Readonly<Record<DomainFindingAnswer["state"], HealthStatus>> = {
  good: "healthy",
  warning: "warning",
  unknown: "unknown",
};

function Row({ name, value, children }: { name: string; value: string; children?: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
      {children}
    </div>
  );
}

/** What stands in DNS, where that isn't right, and what should: to be copied into the form of whoever keeps the domain. */
function RecordToPublish({ check, found, publish, state }: DomainFindingAnswer) {
  const { t } = useTranslation();
  const isShown = state === "warning" && (found !== null || publish !== null);
  const name = check.toUpperCase();
  if (!isShown && publish === null) return null;
  return (
    <dl className="dns-record">
      {isShown && found !== null && <Row name={t("health.domain.found")} value={found} />}
      {publish && (
        <>
          <Row name={t("health.domain.type")} value={publish.type} />
          <Row name={t("health.domain.name")} value={publish.name}>
            <CopyButton text={publish.name} label={t("health.domain.copyName", { check: name })} />
          </Row>
          <Row name={t("health.domain.value")} value={publish.value}>
            <CopyButton text={publish.value} label={t("health.domain.copyValue", { check: name })} />
          </Row>
        </>
      )}
    </dl>
  );
}

function useCheckAgain(onAsked: () => void) {
  const { t } = useTranslation();
  const { open } = useNotification();
  const { mutateAsync, mutation } = useCustomMutation();
  async function ask(): Promise<void> {
    try {
      await mutateAsync({
        url: "/api/health/sending-domain/",
        method: "post",
        values: {},
        successNotification: false,
        errorNotification: false,
      });
      onAsked();
    } catch (error) {
      const message = t("health.domain.failed");
      open?.({ key: "sending-domain", type: "error", message, description: toErrorText(error, t) });
    }
  }
  return { ask, isAsking: mutation.isPending };
}

function CheckedAt({ domain }: { domain: SendingDomainAnswer }) {
  const { t } = useTranslation();
  if (domain.is_checking) return null;
  if (domain.checked_at === null) return t("health.domain.never");
  return (
    <>
      {t("health.domain.checked")} <RelativeTime moment={domain.checked_at} />
    </>
  );
}

/** What receivers of the site's mail look up: each thing in plain words, and the record to publish. `onAsked`: newer findings are on their way. */
export function DomainPart({ domain, onAsked }: { domain: SendingDomainAnswer; onAsked: () => void }) {
  const { t } = useTranslation();
  const { ask, isAsking } = useCheckAgain(onAsked);
  const title = t("health.domain.title", { domain: domain.domain });
  return (
    <section aria-label={title}>
      <div className="domain-head">
        <h2>{title}</h2>
        <p>
          {/* Apart from the time, which would be read out whenever it grows. */}
          <span role="status">{domain.is_checking && t("health.domain.checking")}</span>
          <CheckedAt domain={domain} />
        </p>
        <Button loading={isAsking || domain.is_checking} onClick={() => void ask()}>
          {t("health.domain.again")}
        </Button>
      </div>
      <div className="health-card">
        <p>{t("health.domain.help")}</p>
        <ul className="domain-findings">
          {domain.findings.map((finding) => (
            <li key={finding.check}>
              <h3>{finding.check.toUpperCase()}</h3>
              <StatusMark status={STATUS[finding.state]} />
              <p>{finding.message}</p>
              <RecordToPublish {...finding} />
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}
