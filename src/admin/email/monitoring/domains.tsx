import "./domains.css";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { MailSeriesAnswer, MailStats } from "#contract/mail-stats.ts";
import { RankedFigure } from "../../charts/ranked-figure.tsx";
import type { RankedSeries } from "../../charts/series.ts";
import { Panel } from "../../ui/panel.tsx";
import { DomainRow } from "./domain-row.tsx";
import { type Told, toTold } from "./rates.ts";
import { useRateText } from "./use-rate-text.ts";
import { useVolumeParts } from "./use-volume-parts.ts";
import { toVolumeValues } from "./volume.ts";

const COLUMNS = ["delivered", "bounced", "complained"] as const;

interface DomainsProps {
  domains: MailSeriesAnswer["domains"];
  stats: MailStats;
}

type Domain = MailSeriesAnswer["domains"][number];

function useSeries(domains: readonly Domain[], told: Told): RankedSeries {
  const { count } = useRateText();
  const parts = useVolumeParts(domains, told);
  return useMemo(
    () => ({
      kind: "ranked",
      parts,
      rows: domains.map((one) => ({ name: one.domain, values: toVolumeValues(one, told) })),
      formatValue: count,
    }),
    [domains, told, parts, count],
  );
}

/** Where the mail goes, and how it fares there: one domain with returns says another thing than all of them. */
export function Domains({ domains, stats }: DomainsProps) {
  const { t } = useTranslation();
  const told = useMemo(() => toTold(stats), [stats]);
  const series = useSeries(domains, told);
  const title = t("emailMonitoring.domains.title");
  const help = t("emailMonitoring.domains.help");
  // Of no mails there are no rates, whoever tells.
  const untold = (["bounce", "complaint"] as const)
    .filter((name) => stats.total_sent > 0 && !told[name === "bounce" ? "bounced" : "complained"])
    .map((name) => t(`emailMonitoring.rates.unreported.${name}`));
  const labelOf = (name: (typeof COLUMNS)[number]) =>
    t(`emailMonitoring.domains.${name === "delivered" && !told.delivered ? "accepted" : name}`);
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
              <DomainRow key={domain.domain} domain={domain} told={told} />
            ))}
          </tbody>
        </table>
      </section>
      <p className="monitoring-help">{[help, ...untold].join(" ")}</p>
    </Panel>
  );
}
