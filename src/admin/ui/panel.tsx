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
