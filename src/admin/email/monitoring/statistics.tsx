import {
  CheckCircleFilled,
  ExclamationCircleFilled,
  MinusCircleFilled,
  QuestionCircleFilled,
} from "@ant-design/icons";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { toLanguage } from "#contract/languages.ts";
import { MAIL_VOLUME_MIN } from "#contract/mail/health.ts";
import type { MailStats } from "#contract/mail/statistics.ts";
import { DECORATIVE } from "../../ui/accessibility.ts";
import { FactsList, Panel } from "../../ui/panel.tsx";
import { RATE_NAMES, type Rate, type RateState, toOverall, toRates, toReported } from "./rates.ts";
import { useRateText } from "./use-rate-text.ts";

const RATE_ICONS: Readonly<Record<RateState, ReactNode>> = {
  good: <CheckCircleFilled {...DECORATIVE} />,
  poor: <ExclamationCircleFilled {...DECORATIVE} />,
  unsure: <ExclamationCircleFilled {...DECORATIVE} />,
  few: <MinusCircleFilled {...DECORATIVE} />,
  none: <MinusCircleFilled {...DECORATIVE} />,
  unknown: <QuestionCircleFilled {...DECORATIVE} />,
};

/** A state as icon, word and colour. */
function RateMark({ state, children }: { state: RateState; children: ReactNode }) {
  return (
    <span className="rate-mark" data-state={state}>
      {RATE_ICONS[state]}
      {children}
    </span>
  );
}

/** What a reader has to know of a rate before they believe it. */
function RateNote({ rate, stats }: { rate: Rate; stats: MailStats }) {
  const { t } = useTranslation();
  const { name, state } = rate;
  if (state === "none") return null;
  if (state === "unknown") return <p>{t(`emailMonitoring.rates.unreported.${name}`)}</p>;
  if (name === "complaint") return <p>{t("emailMonitoring.rates.gmail")}</p>;
  if (name === "delivery") {
    const isAccepted = stats.delivered_is_accepted === true;
    return <p>{t(isAccepted ? "emailMonitoring.rates.accepted" : "emailMonitoring.rates.settled")}</p>;
  }
  const soft = stats.total_bounced - (stats.hard_bounced ?? stats.total_bounced);
  return soft > 0 && <p>{t("emailMonitoring.rates.softBounces", { count: soft })}</p>;
}

function RateCard({ rate, stats }: { rate: Rate; stats: MailStats }) {
  const { t } = useTranslation();
  const text = useRateText();
  const { name, value, count, total, interval, state, limit } = rate;
  const counts = { count: text.count(count ?? 0), total: text.count(total) };
  const limitText = { limit: text.limit(limit) };
  return (
    <li className="rate-card" data-state={state}>
      <h2>{t(`emailMonitoring.rates.${name}`)}</h2>
      <p className="rate-value">{value === null ? "–" : text.rate(value)}</p>
      <RateMark state={state}>
        {state === "poor"
          ? t(`emailMonitoring.rates.state.poor.${name}`)
          : t(`emailMonitoring.rates.state.${state}`)}
      </RateMark>
      {count !== null && total > 0 && (
        <p>
          {t(state === "unknown" ? "emailMonitoring.rates.atLeast" : "emailMonitoring.rates.of", counts)}
          {" · "}
          <span className="rate-limit">
            {t(name === "delivery" ? "emailMonitoring.rates.min" : "emailMonitoring.rates.max", limitText)}
          </span>
        </p>
      )}
      {interval && (
        <p>
          {t("emailMonitoring.rates.interval", {
            low: text.rate(interval.low),
            high: text.rate(interval.high),
          })}
        </p>
      )}
      <RateNote rate={rate} stats={stats} />
    </li>
  );
}

/** The performance metrics: what was sent, and the three rates against their limits. */
export function RateCards({ stats }: { stats: MailStats }) {
  const { t } = useTranslation();
  const { count } = useRateText();
  const rates = toRates(stats);
  const { total_sent: sent, total_rejected: rejected } = stats;
  return (
    <section className="rates" aria-label={t("emailMonitoring.rates.label")}>
      <ul className="rate-cards">
        <li className="rate-card">
          <h2>{t("emailMonitoring.rates.sent")}</h2>
          <p className="rate-value">{count(sent)}</p>
          <p>{t("emailMonitoring.rates.sentHelp")}</p>
          {rejected > 0 && <p>{t("emailMonitoring.rates.rejected", { count: rejected })}</p>}
        </li>
        {RATE_NAMES.map((name) => (
          <RateCard key={name} rate={rates[name]} stats={stats} />
        ))}
      </ul>
      <p className="monitoring-help">{t("emailMonitoring.rates.intervalHelp")}</p>
    </section>
  );
}

/** The health of the mail in one sentence, announced to screen readers when it changes. */
export function Overall({ stats }: { stats: MailStats }) {
  const { t, i18n } = useTranslation();
  const rates = toRates(stats);
  const state = toOverall(rates);
  // Because of these: the sentences about what is poor and what is not known name them.
  const decisive = RATE_NAMES.filter((name) => rates[name].state === state).map((name) =>
    t(`emailMonitoring.rates.${name}`),
  );
  const list = new Intl.ListFormat(toLanguage(i18n.language)).format(decisive);
  return (
    <section className="mail-overall" data-state={state} aria-label={t("emailMonitoring.overall.title")}>
      <h2>{t("emailMonitoring.overall.title")}</h2>
      <p role="status">
        <RateMark state={state}>
          {t(`emailMonitoring.overall.${state}`, { rates: list, min: MAIL_VOLUME_MIN })}
        </RateMark>
      </p>
    </section>
  );
}

/** The eight documented figures (specification B section 3). */
export function DetailedStatistics({ stats }: { stats: MailStats }) {
  const { t } = useTranslation();
  const { count, rate } = useRateText();
  const unknown = t(`emailMonitoring.rates.${stats.total_sent === 0 ? "state.none" : "unknown"}`);
  const toRate = (value: number | null) => (value === null ? unknown : rate(value));
  /** Where nobody reports such mails, the least that it is. */
  const toKnown = (value: number | null, isReported: boolean) => {
    if (value === null || (value === 0 && !isReported)) return unknown;
    return isReported ? count(value) : t("emailMonitoring.rates.known", { count: count(value) });
  };
  const reported = toReported(stats);
  const isAccepted = stats.delivered_is_accepted === true;
  const rows = [
    ["total_sent", count(stats.total_sent)],
    [isAccepted ? "total_accepted" : "total_delivered", count(stats.total_delivered)],
    ["total_bounced", toKnown(stats.total_bounced, reported.bounced)],
    ["total_complained", toKnown(stats.total_complained, reported.complained)],
    ["total_rejected", count(stats.total_rejected)],
    ["delivery_rate", toRate(stats.delivery_rate)],
    ["bounce_rate", toRate(stats.bounce_rate)],
    ["complaint_rate", toRate(stats.complaint_rate)],
  ] as const;
  return (
    <Panel title={t("emailMonitoring.details.title")}>
      <FactsList
        facts={rows.map(([name, value]) => [t(`emailMonitoring.details.${name}`), value] as const)}
      />
      <p className="monitoring-help">{t("emailMonitoring.details.help")}</p>
    </Panel>
  );
}
