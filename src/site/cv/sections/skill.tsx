import type { Cv } from "#contract/site/cv.ts";
import { usePage } from "../../../ui/page-context.tsx";
import { Carousel } from "../carousel/carousel.tsx";
import type { SectionProps } from "../section-components.ts";

type Skill = Cv["confidences"][number];

/** A skill's icon; without one, its first letter in the same place. */
function SkillIcon({ icon, label }: Pick<Skill, "icon" | "label">) {
  const { lang } = usePage();
  if (icon) return <img src={icon} alt="" width="40" height="40" loading="lazy" decoding="async" />;
  return (
    <span className="skill-letter" aria-hidden="true">
      {[...label][0]?.toLocaleUpperCase(lang)}
    </span>
  );
}

/** What the person works with, four or three a slide. */
export function Section({ section, cv }: SectionProps) {
  return (
    <Carousel title={section.heading} perSlide={{ wide: 4, narrow: 3 }} isStill>
      {cv.confidences.map(({ id, label, icon, level, keywords }) => (
        <li key={id}>
          <span className="skill">
            <SkillIcon icon={icon} label={label} />
            <span className="skill-label">{label}</span>{" "}
            {(level || keywords.length > 0) && (
              <span className="skill-note">{[level, keywords.join(", ")].filter(Boolean).join(" · ")}</span>
            )}
          </span>
        </li>
      ))}
    </Carousel>
  );
}
