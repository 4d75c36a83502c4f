import type { Cv } from "#contract/site/cv.ts";
import { CvSection, Highlights, Prose } from "../cv-section.tsx";
import type { SectionProps } from "../section-components.ts";
import { Timeline, type TimelineEntry } from "../timeline.tsx";

function toEntry(job: Cv["experience"][number]): TimelineEntry {
  const details = (
    <>
      <Prose text={job.description} />
      <Highlights texts={job.highlights} />
    </>
  );
  const { id, role, company, url, location, company_description, start_date, end_date } = job;
  const line = [{ text: company, url }, { text: location }, { text: company_description }];
  return { id, title: { text: role }, line, start: start_date, end: end_date, details };
}

export function Section({ section, cv }: SectionProps) {
  return (
    <CvSection title={section.heading}>
      <Timeline entries={cv.experience.map(toEntry)} />
    </CvSection>
  );
}
