import { getText } from "../any-section.tsx";
import { CvSection, Prose } from "../cv-section.tsx";
import type { SectionProps } from "../section-components.ts";

/** What others say of the person, in their words. */
export function Section({ section }: SectionProps) {
  return (
    <CvSection title={section.heading}>
      {section.items.map(({ id, values }) => (
        <figure key={id} className="quote">
          <blockquote>
            <Prose text={getText(values, "reference")} />
          </blockquote>
          <figcaption>{getText(values, "name")}</figcaption>
        </figure>
      ))}
    </CvSection>
  );
}
