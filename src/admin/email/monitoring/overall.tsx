import { useTranslation } from "react-i18next";
import { toLanguage } from "#contract/languages.ts";
import { MAIL_VOLUME_MIN } from "#contract/mail-health.ts";
import type { MailStats } from "#contract/mail-stats.ts";
import { RATE_NAMES, toOverall, toRates } from "./rates.ts";
import { RateMark } from "./statistics.tsx";

/** The health of the mail in one sentence, told to screen readers when it changes. */
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
