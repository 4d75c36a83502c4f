import { Fragment } from "react";
import { useTranslation } from "react-i18next";
import type { MailSeriesAnswer } from "#contract/mail-stats.ts";
import { type Told, toPoor } from "./rates.ts";
import { useRateText } from "./use-rate-text.ts";

/** Signs that every reader of a narrow column knows, and words for whoever hears them. */
function Sign({ sign, text }: { sign: string; text: string }) {
  return (
    <td title={text}>
      <span aria-hidden>{sign}</span>
      <span className="visually-hidden">{text}</span>
    </td>
  );
}

interface FateCellProps {
  count: number;
  /** Somebody tells of such mails. */
  isTold: boolean;
  /** Why it is marked; undefined: it isn't. */
  poor: string | undefined;
}

/** A number of mails: a dash where nothing is known of them, and the least that it is where nobody tells. */
function FateCell({ count, isTold, poor }: FateCellProps) {
  const { t } = useTranslation();
  const text = useRateText();
  const shown = text.count(count);
  if (!isTold) {
    return count === 0 ? (
      <Sign sign="–" text={t("emailMonitoring.rates.unknown")} />
    ) : (
      <Sign sign={`≥ ${shown}`} text={t("emailMonitoring.rates.known", { count: shown })} />
    );
  }
  return (
    <td data-poor={poor !== undefined || undefined} title={poor}>
      {shown}
      {poor !== undefined && <span className="visually-hidden">: {poor}</span>}
    </td>
  );
}

/** It breaks behind its dots. */
function DomainName({ name }: { name: string }) {
  const labels = name.split(".");
  return labels.map((label, at) => (
    <Fragment key={labels.slice(0, at + 1).join(".")}>
      {label}
      {at < labels.length - 1 && "."}
      <wbr />
    </Fragment>
  ));
}

interface DomainRowProps {
  domain: MailSeriesAnswer["domains"][number];
  told: Told;
}

/** How the mail fares at one domain. */
export function DomainRow({ domain, told }: DomainRowProps) {
  const { t } = useTranslation();
  const { count } = useRateText();
  const { sent, delivered, open, bounced, complained } = domain;
  const arrived = delivered + (told.delivered ? 0 : open);
  const poor = toPoor(domain, arrived, told);
  return (
    <tr>
      <th scope="row">
        <DomainName name={domain.domain} />
      </th>
      <td>{count(sent)}</td>
      <td>{count(arrived)}</td>
      <FateCell
        count={bounced}
        isTold={told.bounced}
        poor={poor.bounced ? t("emailMonitoring.rates.state.poor.bounce") : undefined}
      />
      <FateCell
        count={complained}
        isTold={told.complained}
        poor={poor.complained ? t("emailMonitoring.rates.state.poor.complaint") : undefined}
      />
    </tr>
  );
}
