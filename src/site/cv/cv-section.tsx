import { type ReactNode, useId } from "react";

/** One idea of the CV under its heading. */
export function CvSection({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section className="cv-section" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}
