import "./facts-list.css";
import { type ReactNode, useId } from "react";

interface PanelProps {
  title: string;
  /** Beside the title, such as a link to everything. */
  end?: ReactNode;
  className?: string;
  children: ReactNode;
}

/** A titled part of a screen. */
export function Panel({ title, end, className = "", children }: PanelProps) {
  const id = useId();
  return (
    <section className={`panel ${className}`} aria-labelledby={id}>
      <header className="panel-head">
        <h2 id={id}>{title}</h2>
        {end}
      </header>
      {children}
    </section>
  );
}

interface FactsListProps {
  facts: readonly (readonly [name: string, value: ReactNode])[];
  className?: string;
}

/** Names and what they have, a line each. A name is there once. */
export function FactsList({ facts, className = "facts-list" }: FactsListProps) {
  return (
    <dl className={className}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
