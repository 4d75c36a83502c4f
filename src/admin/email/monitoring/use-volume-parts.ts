import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { StackedSeries } from "../../charts/series.ts";
import type { Told } from "./rates.ts";
import { type MailDay, pickVolumeParts } from "./volume.ts";

/** What mails are counted as, in words that say where a count is only what is known. */
export function useVolumeParts(mails: readonly Omit<MailDay, "date">[], told: Told): StackedSeries["parts"] {
  const { t } = useTranslation();
  return useMemo(
    () =>
      pickVolumeParts(mails, told).map(({ key, colour }) => {
        if ((key === "bounced" || key === "complained") && !told[key])
          return { key, colour, label: t(`emailMonitoring.charts.known.${key}`) };
        const name = key === "open" && !told.delivered ? "accepted" : key;
        return { key, colour, label: t(`emailMonitoring.charts.states.${name}`) };
      }),
    [mails, told, t],
  );
}
