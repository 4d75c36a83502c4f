import type { Cv } from "#contract/site/cv.ts";
import { NewTabLink } from "../../ui/links.tsx";
import { usePage } from "../../ui/page-context.tsx";
import { Certificates } from "./certificates/certificates.tsx";
import { CvSection, Prose } from "./cv-section.tsx";
import { Hero } from "./hero.tsx";
import { Timeline, type TimelineEntry } from "./timeline.tsx";
import { Tools } from "./tools.tsx";

/** What a fresh installation shows: that it works, and the two ways to fill it. */
function EmptyCv() {
  const { t } = usePage();
  return (
    <section className="empty-cv">
      <h1>{t("site:cv.empty.title")}</h1>
      <p className="prose">{t("site:cv.empty.text")}</p>
      <ol className="empty-cv-ways">
        <li>
          <h2>{t("site:cv.empty.import")}</h2>
          <p>{t("site:cv.empty.importHint")}</p>
          <pre>
            <code>npm run foyer -- import resume.json</code>
          </pre>
        </li>
        <li>
          <h2>{t("site:cv.empty.console")}</h2>
          <p>{t("site:cv.empty.consoleHint")}</p>
          <p>
            <a className="button" href="/admin">
              {t("site:cv.empty.openConsole")}
            </a>
          </p>
        </li>
      </ol>
    </section>
  );
}

/** Where the person lives, with a search for it on a map. */
function AddressNote({ address: { district, province } }: { address: Cv["address"] }) {
  const { site, t } = usePage();
  const place = [district, province].filter(Boolean).join(", ");
  if (!place) return null;
  return (
    <p className="address-note">
      {t("site:cv.place", { place })}{" "}
      <NewTabLink href={site.map_search + encodeURIComponent(place)}>{t("site:cv.map")}</NewTabLink>
    </p>
  );
}

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
