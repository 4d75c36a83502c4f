import "./domains.css";
import { Fragment, useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { MailSeriesAnswer, MailStats } from "#contract/mail/statistics.ts";
import { RankedFigure } from "../../charts/figures.tsx";
import type { RankedSeries } from "../../charts/series.ts";
import { Panel } from "../../ui/panel.tsx";
import { type Reported, toPoor, toReported } from "./rates.ts";
import { useRateText } from "./use-rate-text.ts";
import { toVolumeValues, useVolumeParts } from "./volume.ts";

const COLUMNS = ["delivered", "bounced", "complained"] as const;

interface DomainsProps {
  domains: MailSeriesAnswer["domains"];
  stats: MailStats;
}

type Domain = MailSeriesAnswer["domains"][number];

function useSeries(domains: readonly Domain[], reported: Reported): RankedSeries {
  const { count } = useRateText();
  const parts = useVolumeParts(domains, reported);
  return useMemo(
    () => ({
      kind: "ranked",
      parts,
      rows: domains.map((one) => ({ name: one.domain, values: toVolumeValues(one, reported) })),
      formatValue: count,
    }),
    [domains, reported, parts, count],
  );
}

/** Where the mail goes, and how it fares there: one domain with returns says another thing than all of them. */
export function Domains({ domains, stats }: DomainsProps) {
  const { t } = useTranslation();
  const reported = useMemo(() => toReported(stats), [stats]);
  const series = useSeries(domains, reported);
  const title = t("emailMonitoring.domains.title");
  const help = t("emailMonitoring.domains.help");
  // Of no mails there are no rates, whoever reports.
  const unreported = (["bounce", "complaint"] as const)
    .filter((name) => stats.total_sent > 0 && !reported[name === "bounce" ? "bounced" : "complained"])
    .map((name) => t(`emailMonitoring.rates.unreported.${name}`));
  const labelOf = (name: (typeof COLUMNS)[number]) =>
    t(`emailMonitoring.domains.${name === "delivered" && !reported.delivered ? "accepted" : name}`);
  if (domains.length === 0) {
    return (
      <Panel title={title}>
        <p className="monitoring-help">{t("emailMonitoring.domains.none")}</p>
      </Panel>
    );
  }
  return (
    <Panel title={title}>
      <RankedFigure title={`${title}: ${help}`} series={series} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable with the keyboard */}
      <section className="domains" aria-label={`${title}: ${help}`} tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t("emailMonitoring.domains.domain")}</th>
              <th scope="col">{t("emailMonitoring.domains.sent")}</th>
              {COLUMNS.map((name) => (
                <th key={name} scope="col">
                  {labelOf(name)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {domains.map((domain) => (
              <DomainRow key={domain.domain} domain={domain} reported={reported} />
            ))}
          </tbody>
        </table>
      </section>
      <p className="monitoring-help">{[help, ...unreported].join(" ")}</p>
    </Panel>
  );
}

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
  /** Somebody reports such mails. */
  isReported: boolean;
  /** Why it is marked; undefined: it isn't. */
  poor: string | undefined;
}

/** A number of mails: a dash where nothing is known of them, and the least that it is where nobody reports. */
function FateCell({ count, isReported, poor }: FateCellProps) {
  const { t } = useTranslation();
  const text = useRateText();
  const shown = text.count(count);
  if (!isReported) {
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
  reported: Reported;
}

/** How the mail fares at one domain. */
function DomainRow({ domain, reported }: DomainRowProps) {
  const { t } = useTranslation();
  const { count } = useRateText();
  const { sent, delivered, open, bounced, complained } = domain;
  const arrived = delivered + (reported.delivered ? 0 : open);
  const poor = toPoor(domain, arrived, reported);
  return (
    <tr>
      <th scope="row">
        <DomainName name={domain.domain} />
      </th>
      <td>{count(sent)}</td>
      <td>{count(arrived)}</td>
      <FateCell
        count={bounced}
        isReported={reported.bounced}
        poor={poor.bounced ? t("emailMonitoring.rates.state.poor.bounce") : undefined}
      />
      <FateCell
        count={complained}
        isReported={reported.complained}
        poor={poor.complained ? t("emailMonitoring.rates.state.poor.complaint") : undefined}
      />
    </tr>
  );
}
