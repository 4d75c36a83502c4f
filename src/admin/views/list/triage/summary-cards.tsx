import "../../record-actions/record-actions.css";
import type { RecordSource } from "#resources/record-source.ts";
import { useShownCount } from "../use-shown-count.ts";

interface SummaryCardsProps {
  model: RecordSource;
  /** Of the list's answer. */
  summary: Readonly<Record<string, number>> | undefined;
}

/** How many rows the filters find, in parts. A back end that doesn't count them has no cards: a 0 would be untrue. */
export function SummaryCards({ model, summary }: SummaryCardsProps) {
  const shownCount = useShownCount();
  const cards = (model.summaryCards ?? []).flatMap(({ name, label }) => {
    const count = summary?.[name];
    return count === undefined ? [] : [{ name, label, count }];
  });
  if (cards.length === 0) return null;
  return (
    <dl className="summary-cards">
      {cards.map(({ name, label, count }) => (
        <div key={name}>
          <dt>{label}</dt>
          <dd>{shownCount(count, false)}</dd>
        </div>
      ))}
    </dl>
  );
}
