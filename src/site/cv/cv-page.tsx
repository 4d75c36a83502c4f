import "./cv-page.css";
import type { Cv } from "#contract/site/cv.ts";
import { NewTabLink } from "../../ui/links.tsx";
import { usePage } from "../../ui/page-context.tsx";
import { AnySection } from "./any-section.tsx";
import { Hero } from "./hero.tsx";
import printSheet from "./print.css?url";
import { SECTION_COMPONENTS } from "./section-components.ts";

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

/** Where the person lives and gets their mail, with a search for it on a map. */
function AddressNote({ address }: { address: Cv["address"] }) {
  const { site, t } = usePage();
  const place = [address.district, address.province, address.country].filter(Boolean).join(", ");
  const street = [address.street?.replaceAll("\n", ", "), address.postal_code].filter(Boolean).join(", ");
  if (!place && !street) return null;
  const whole = [street, place].filter(Boolean).join(", ");
  return (
    <p className="address-note">
      {place && `${t("site:cv.place", { place })} `}
      {street && `${street}. `}
      <NewTabLink href={site.map_search + encodeURIComponent(whole)}>{t("site:cv.map")}</NewTabLink>
    </p>
  );
}

/** The CV for other programs. Paper leaves links of a note out. */
function Downloads() {
  const { lang, t } = usePage();
  const ending = `?lang=${lang}`;
  return (
    <nav className="address-note" aria-label={t("site:cv.downloads")}>
      <a href={`/cv.pdf${ending}`}>PDF</a>
      <a href={`/cv.vcf${ending}`}>{t("site:cv.vcard")}</a>
      <a href={`/cv.json${ending}`}>JSON Resume</a>
    </nav>
  );
}

/** The curriculum vitae (specification A 2.4), its sections in the server's order. A part without content is not drawn. */
export function CvPage({ cv }: { cv: Cv }) {
  if (!cv.name && cv.sections.length === 0) return <EmptyCv />;
  return (
    <article className="cv">
      <Hero cv={cv} />
      {cv.sections.map((section) => {
        const Section = SECTION_COMPONENTS[section.name] ?? AnySection;
        return <Section key={section.name} section={section} cv={cv} />;
      })}
      <AddressNote address={cv.address} />
      {cv.name && <Downloads />}
      {/* Without precedence it stays here, where it holds nothing back. */}
      <link rel="stylesheet" href={printSheet} media="print" />
    </article>
  );
}
