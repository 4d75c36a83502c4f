import type { Cv } from "#contract/site/cv.ts";
import { usePage } from "../../ui/page-context.tsx";
import { AddressNote } from "./address-note.tsx";
import { Certificates } from "./certificates/certificates.tsx";
import { CvSection } from "./cv-section.tsx";
import { EmptyCv } from "./empty-cv.tsx";
import { Hero } from "./hero.tsx";
import { Prose } from "./prose.tsx";
import { Timeline, type TimelineEntry } from "./timeline.tsx";
import { Tools } from "./tools.tsx";

function isEmpty({ name, experience, education, confidences, certificates }: Cv): boolean {
  return !name && [experience, education, confidences, certificates].every((items) => items.length === 0);
}

function toJob(job: Cv["experience"][number]): TimelineEntry {
  const details = (
    <>
      <Prose text={job.description} />
      {job.highlights.length > 0 && (
        <ul className="highlights">
          {job.highlights.map((highlight, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two may say the same, and they never move
            <li key={index}>{highlight}</li>
          ))}
        </ul>
      )}
    </>
  );
  const { id, role, company, url, location, start_date, end_date } = job;
  return { id, title: role, place: company, url, location, start: start_date, end: end_date, details };
}

function toSchool({
  id,
  degree,
  institution,
  url,
  start_date,
  end_date,
}: Cv["education"][number]): TimelineEntry {
  return { id, title: degree, place: institution, url, location: null, start: start_date, end: end_date };
}

/** The curriculum vitae (specification A 2.4). A part without content is not drawn. */
export function CvPage({ cv }: { cv: Cv }) {
  const { t } = usePage();
  if (isEmpty(cv)) return <EmptyCv />;
  const { confidences, experience, education, certificates } = cv;
  return (
    <article className="cv">
      <Hero cv={cv} />
      {confidences.length > 0 && <Tools tools={confidences} />}
      {experience.length > 0 && (
        <CvSection title={t("site:cv.experience")}>
          <Timeline entries={experience.map(toJob)} />
        </CvSection>
      )}
      {education.length > 0 && (
        <CvSection title={t("site:cv.education")}>
          <Timeline entries={education.map(toSchool)} />
        </CvSection>
      )}
      {certificates.length > 0 && <Certificates certificates={certificates} />}
      <AddressNote address={cv.address} />
    </article>
  );
}
