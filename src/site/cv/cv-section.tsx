import { type ReactNode, useId } from "react";

interface CvSectionProps {
  title: string;
  /** Stand beside the heading. */
  controls?: ReactNode;
  children: ReactNode;
}

/** One idea of the CV under its heading, and the line that sets it off from what is above. */
export function CvSection({ title, controls, children }: CvSectionProps) {
  const id = useId();
  return (
    <>
      <hr className="divider" />
      <section className="cv-section" aria-labelledby={id}>
        <div className="cv-section-head">
          <h2 id={id}>{title}</h2>
          {controls}
        </div>
        <div className="cv-section-body">{children}</div>
      </section>
    </>
  );
}
