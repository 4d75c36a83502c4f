import "./domains.css";
import { useTranslation } from "react-i18next";
import type { MailSeriesAnswer } from "#contract/mail-stats.ts";
import { Panel } from "../../dashboard/panel.tsx";
import { useRateText } from "./use-rate-text.ts";

const COLUMNS = ["delivered", "bounced", "complained"] as const;

interface DomainsProps {
  domains: MailSeriesAnswer["domains"];
  /** What the next server took counts as delivered. */
  isAccepted: boolean;
}

/** Where the mail goes, and how it fares there: one domain with returns says another thing than all of them. */
export function Domains({ domains, isAccepted }: DomainsProps) {
  const { t } = useTranslation();
  const { count } = useRateText();
  const title = t("emailMonitoring.domains.title");
  const help = t("emailMonitoring.domains.help");
  const most = Math.max(1, ...domains.map(({ sent }) => sent));
  const labelOf = (name: (typeof COLUMNS)[number]) =>
    t(`emailMonitoring.domains.${name === "delivered" && isAccepted ? "accepted" : name}`);
  if (domains.length === 0) {
    return (
      <Panel title={title}>
        <p className="monitoring-help">{t("emailMonitoring.domains.none")}</p>
      </Panel>
    );
  }
  return (
    <Panel title={title}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable with the keyboard */}
      <section className="domains" aria-label={`${title}: ${help}`} tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t("emailMonitoring.domains.domain")}</th>
              <th scope="col">{t("emailMonitoring.rates.sent")}</th>
              {COLUMNS.map((name) => (
                <th key={name} scope="col">
                  {labelOf(name)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {domains.map((row) => (
              <tr key={row.domain}>
                <th scope="row">
                  {row.domain}
                  <span
                    className="domain-bar"
                    style={{ inlineSize: `${(100 * row.sent) / most}%` }}
                    aria-hidden
                  />
                </th>
                <td>{count(row.sent)}</td>
                <td>{count(row.delivered + (isAccepted ? row.open : 0))}</td>
                <td data-poor={row.bounced > 0 || undefined}>{count(row.bounced)}</td>
                <td data-poor={row.complained > 0 || undefined}>{count(row.complained)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <p className="monitoring-help">{help}</p>
    </Panel>
  );
}
