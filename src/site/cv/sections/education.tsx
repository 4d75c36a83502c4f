import type { Cv } from "#contract/site/cv.ts";
import { usePage } from "../../../ui/page-context.tsx";
import { CvSection, Words } from "../cv-section.tsx";
import type { SectionProps } from "../section-components.ts";
import { Timeline, type TimelineEntry } from "../timeline.tsx";

export function Section({ section, cv }: SectionProps) {
  const { t } = usePage();
  const toEntry = (school: Cv["education"][number]): TimelineEntry => {
    const { id, degree, institution, url, start_date, end_date, score, courses } = school;
    const line = [{ text: institution, url }, { text: score && t("site:cv.score", { score }) }];
    const details = <Words words={courses} />;
    return { id, title: { text: degree }, line, start: start_date, end: end_date, details };
  };
  return (
    <CvSection title={section.heading}>
      <Timeline entries={cv.education.map(toEntry)} />
    </CvSection>
  );
}
