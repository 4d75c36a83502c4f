import { CheckCircleFilled, MinusCircleOutlined } from "@ant-design/icons";
import { Button } from "antd";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { toLanguage } from "#contract/languages.ts";
import type { MailSource } from "#contract/mail/sources.ts";
import { useServices } from "../../services.ts";
import { DECORATIVE } from "../../ui/accessibility.ts";
import { toErrorText } from "../../ui/errors.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { useSourceCall } from "./use-mail-sources.ts";

interface SourceProps {
  source: MailSource;
  /** Reads the ways in anew. */
  onChanged: () => void;
}

interface ReportedProps extends Pick<SourceProps, "source"> {
  /** Opens the report of that number. */
  onReport: (id: number) => void;
}

/** The provider's link is opened by a person, in a tab of its own; only then can they say that they did. */
function Confirmation({ source: { name, confirmation }, onChanged }: SourceProps) {
  const { t } = useTranslation();
  const { permissions } = useServices();
  const { send, error, isPending } = useSourceCall();
  const [isOpened, setOpened] = useState(false);
  if (!confirmation) return null;
  const { topic, asked_at, url } = confirmation;
  const confirm = () =>
    // The reason of a failure is drawn below.
    void send("confirmed/", { name }).then(onChanged, () => undefined);
  return (
    <div className="source-confirmation">
      <h4>{t("emailMonitoring.sources.confirmation.title")}</h4>
      <p>{t("emailMonitoring.sources.confirmation.text", { topic })}</p>
      <p>
        {t("emailMonitoring.sources.confirmation.asked")}: <RelativeTime moment={asked_at} />
      </p>
      {permissions.isSuperuser && url !== null ? (
        <div className="source-actions">
          <a href={url} target="_blank" rel="noopener noreferrer" onClick={() => setOpened(true)}>
            {t("emailMonitoring.sources.confirmation.open")}
          </a>
          <Button size="small" disabled={!isOpened} loading={isPending} onClick={confirm}>
            {t("emailMonitoring.sources.confirmation.done")}
          </Button>
        </div>
      ) : (
        <p>{t("emailMonitoring.sources.confirmation.superuser")}</p>
      )}
      {error && (
        <p role="alert" className="source-bad">
          {t("emailMonitoring.sources.confirmation.failed")}: {toErrorText(error, t)}
        </p>
      )}
    </div>
  );
}

function useReported({ name, tells_deliveries, tells_complaints }: MailSource): string {
  const { t, i18n } = useTranslation();
  const parts = [
    name !== "outbox" && t("emailMonitoring.sources.tellsBounces"),
    tells_deliveries && t("emailMonitoring.sources.tellsDeliveries"),
    tells_complaints && t("emailMonitoring.sources.tellsComplaints"),
  ].filter((part) => part !== false);
  return new Intl.ListFormat(toLanguage(i18n.language)).format(parts);
}

function Facts({ source }: { source: MailSource }) {
  const { t } = useTranslation();
  const reported = useReported(source);
  const { last_event_at: last, webhook_url: url } = source;
  const rows: readonly (readonly [string, ReactNode])[] = [
    [
      t("emailMonitoring.sources.lastEvent"),
      last === null ? t("emailMonitoring.sources.noEvent") : <RelativeTime key="last" moment={last} />,
    ],
    ...(reported === "" ? [] : [[t("emailMonitoring.sources.tells"), reported] as const]),
    ...(url === null ? [] : [[t("emailMonitoring.sources.webhook"), <code key="url">{url}</code>] as const]),
  ];
  return (
    <dl>
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** A report that could not be read has no event by which one would find it; superusers open it here. */
function Unreadable({ source: { unreadable, first_unreadable_id: id }, onReport }: ReportedProps) {
  const { t } = useTranslation();
  if (unreadable === 0) return null;
  return (
    <>
      <p className="source-bad">{t("emailMonitoring.sources.unreadable", { count: unreadable })}</p>
      {id !== null && (
        <Button className="source-report" size="small" onClick={() => onReport(id)}>
          {t("emailMonitoring.sources.firstUnreadable", { count: unreadable, id })}
        </Button>
      )}
    </>
  );
}

/** One way in: whether it is set up, what came by it last, and what is wrong with it. */
export function SourceCard({ source, onChanged, onReport }: SourceProps & ReportedProps) {
  const { t } = useTranslation();
  const { name, is_set_up: isSetUp, refused_at: refusedAt, refusal } = source;
  return (
    <li className="source-card" data-set-up={isSetUp}>
      <h3>{t(`emailMonitoring.sources.names.${name}`)}</h3>
      <p className="rate-mark" data-state={isSetUp ? "good" : "none"}>
        {isSetUp ? <CheckCircleFilled {...DECORATIVE} /> : <MinusCircleOutlined {...DECORATIVE} />}
        {t(isSetUp ? "emailMonitoring.sources.setUp" : "emailMonitoring.sources.notSetUp")}
      </p>
      {isSetUp ? <Facts source={source} /> : <p>{t("emailMonitoring.sources.hint")}</p>}
      {refusedAt !== null && (
        <p className="source-bad">
          {t("emailMonitoring.sources.refused")}, <RelativeTime moment={refusedAt} />: {refusal}
        </p>
      )}
      <Unreadable source={source} onReport={onReport} />
      <Confirmation source={source} onChanged={onChanged} />
    </li>
  );
}
