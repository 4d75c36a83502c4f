import type { ReactNode } from "react";
import { toWebAddress } from "../../ui/links.tsx";
import { DateRange } from "./cv-section.tsx";

export interface TimelineEntry {
  id: number;
  start: string | null;
  end: string | null;
  /** What the person was or got there. */
  title: string;
  /** Company or school, with its address where there is one. */
  place: string;
  url: string | null;
  location: string | null;
  details?: ReactNode;
}

function Place({ place, url }: { place: string; url: string | null }) {
  const href = toWebAddress(url);
  return href ? <a href={href}>{place}</a> : place;
}

/** Stations of a life from top to bottom, their dates in a quiet column. */
export function Timeline({ entries }: { entries: readonly TimelineEntry[] }) {
  return (
    <ol className="timeline">
      {entries.map(({ id, start, end, title, place, url, location, details }) => (
        <li key={id} className={`timeline-entry${start && !end ? " is-current" : ""}`}>
          <p className="timeline-dates">
            <DateRange start={start} end={end} />
          </p>
          <div className="timeline-text">
            <h3>{title}</h3>
            <p className="timeline-place">
              <Place place={place} url={url} />
              {location && <span className="timeline-location">{location}</span>}
            </p>
            {details}
          </div>
        </li>
      ))}
    </ol>
  );
}
