import { formatPartialDate } from "#contract/format-partial-date.ts";
import { usePage } from "../../ui/page-context.tsx";

export function PartialDate({ date }: { date: string }) {
  const { lang } = usePage();
  return <time dateTime={date}>{formatPartialDate(date, lang)}</time>;
}

/** From when to when; no end means until now, no start leaves the end alone. */
export function DateRange({ start, end }: { start: string | null; end: string | null }) {
  const { t } = usePage();
  if (!start) return end && <PartialDate date={end} />;
  if (start === end) return <PartialDate date={start} />;
  return (
    <>
      <PartialDate date={start} /> – {end ? <PartialDate date={end} /> : t("site:cv.present")}
    </>
  );
}
