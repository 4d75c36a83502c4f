import type { Cv } from "#contract/site/cv.ts";
import type { PageRequest } from "#contract/site/pages.ts";
import type { SiteInfo } from "#contract/site/site.ts";
import { isHttpAddress } from "../ui/links.tsx";

/** An absolute http(s) address, or undefined: a path, a `mailto:` or a typing mistake is none. */
function toAddress(address: string | null): string | undefined {
  return address && isHttpAddress(address) ? address : undefined;
}

function toUnique<Item extends { name: string }>(items: readonly Item[]): Item[] {
  return [...new Map(items.map((item) => [item.name, item])).values()];
}

/** Undefined for an empty list: JSON leaves such a property out. */
function orNothing<Item>(items: readonly Item[]): readonly Item[] | undefined {
  return items.length > 0 ? items : undefined;
}

function toOrganizations(type: string, places: readonly { name: string; url: string | null }[]) {
  const named = toUnique(places.filter(({ name }) => name));
  return orNothing(named.map(({ name, url }) => ({ "@type": type, name, url: toAddress(url) })));
}

function toCredential({ label, issuer, date, url, file }: Cv["certificates"][number], origin: string) {
  return {
    "@type": "EducationalOccupationalCredential",
    name: label,
    recognizedBy: issuer ? { "@type": "Organization", name: issuer } : undefined,
    dateCreated: date ?? undefined,
    url: toAddress(url) ?? (file ? `${origin}${file}` : undefined),
  };
}

function toPostalAddress({ district, province, street, postal_code, country, country_code }: Cv["address"]) {
  const given = {
    streetAddress: street ?? undefined,
    postalCode: postal_code ?? undefined,
    addressLocality: district || undefined,
    addressRegion: province || undefined,
    addressCountry: country_code ?? country ?? undefined,
  };
  return Object.values(given).some(Boolean) ? { "@type": "PostalAddress", ...given } : undefined;
}

/** How an item of a property of Person is said, where that isn't its name alone. */
const PERSON_VALUES: Readonly<Record<string, (name: string, url: string | undefined) => object>> = {
  knowsLanguage: (name) => ({ "@type": "Language", name }),
  memberOf: (name, url) => ({ "@type": "Organization", name, url }),
};

/** What sections of any model say of the person: those whose declaration names a property, by what their rows are called. */
function toSectionProperties({ sections }: Cv): Record<string, unknown[]> {
  const properties: Record<string, unknown[]> = {};
  for (const section of sections) {
    const { person, fields } = section;
    if (person === null || fields === null) continue;
    const values = section.items.flatMap(({ values }) => {
      const getText = (field: string | null | undefined) =>
        values.find((value) => value.name === field)?.texts[0] ?? null;
      const [name, url] = [getText(fields.titles.at(-1)), getText(fields.url)];
      return name === null ? [] : [PERSON_VALUES[person]?.(name, toAddress(url)) ?? name];
    });
    properties[person] = [...(properties[person] ?? []), ...values];
  }
  return properties;
}

function findProfiles(cv: Cv, site: SiteInfo): string[] {
  const all = [cv.website, ...cv.links.map(({ url }) => url), site.github, site.linkedin, site.steam];
  return [...new Set(all.flatMap((url) => toAddress(url) ?? []))];
}

/**
 * The CV for search engines: a ProfilePage about a Person in the vocabulary of schema.org, with the properties that it
 * defines for these types. A part without content is left out. Its id is the same in every language.
 */
export function toProfileRecord(cv: Cv, { origin, prefix, path, lang, site }: PageRequest): object {
  const jobs = cv.experience.filter(({ start_date, end_date }) => start_date && !end_date);
  return {
    "@context": "https://schema.org",
    "@type": "ProfilePage",
    url: `${origin}${prefix}${path}`,
    inLanguage: lang,
    mainEntity: {
      "@type": "Person",
      "@id": `${origin}${path}#person`,
      name: cv.name,
      jobTitle: cv.title || undefined,
      description: cv.tagline || cv.description || undefined,
      image: cv.photo ? `${origin}${cv.photo}` : undefined,
      email: cv.email ?? undefined,
      url: `${origin}${path}`,
      address: toPostalAddress(cv.address),
      sameAs: orNothing(findProfiles(cv, site)),
      worksFor: toOrganizations(
        "Organization",
        jobs.map(({ company, url }) => ({ name: company, url })),
      ),
      alumniOf: toOrganizations(
        "EducationalOrganization",
        cv.education.map(({ institution, url }) => ({ name: institution, url })),
      ),
      ...toSectionProperties(cv),
      knowsAbout: orNothing(cv.confidences.map(({ label }) => label)),
      hasCredential: orNothing(cv.certificates.map((certificate) => toCredential(certificate, origin))),
    },
  };
}
