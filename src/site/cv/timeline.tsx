import type { ReactNode } from "react";
import { toWebAddress } from "../../ui/links.tsx";
import { DateRange } from "./cv-section.tsx";

/** A text, with its address where there is one; one without text isn't drawn. */
export interface LinkedText {
  text: string | null;
  url?: string | null;
}

export interface EntryTexts {
  /** What the person was, made or got there. */
  title: LinkedText;
  /** Where and what else, in one line. */
  line: readonly LinkedText[];
  details?: ReactNode;
}

export interface TimelineEntry extends EntryTexts {
  id: number;
  start: string | null;
  end: string | null;
}

function Linked({ text, url = null }: LinkedText) {
  const href = toWebAddress(url);
  return href ? <a href={href}>{text}</a> : text;
}

/** A heading, a quiet line and what follows. */
export function EntryText({ title, line, details }: EntryTexts) {
  const [first, ...rest] = line.filter(({ text }) => text);
  return (
    <>
      <h3>
        <Linked {...title} />
      </h3>
      {first && (
        <p className="timeline-place">
          <Linked {...first} />
          {rest.map((part) => (
            <span key={part.text} className="timeline-location">
              <Linked {...part} />
            </span>
          ))}
        </p>
      )}
      {details}
    </>
  );
}

/** Stations of a life from top to bottom, their dates in a quiet column. */
export function Timeline({ entries }: { entries: readonly TimelineEntry[] }) {
  return (
    <ol className="timeline">
      {entries.map(({ id, start, end, ...texts }) => (
        <li key={id} className={`timeline-entry${start && !end ? " is-current" : ""}`}>
          <p className="timeline-dates">
            <DateRange start={start} end={end} />
          </p>
          <div className="timeline-text">
            <EntryText {...texts} />
          </div>
        </li>
      ))}
    </ol>
  );
}
