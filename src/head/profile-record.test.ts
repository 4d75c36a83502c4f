import { expect, test } from "@jest/globals";
import { SITE_INFO } from "#test/site-info.ts";
import { ORIGIN, parseHead, toCvRequest, toRequest } from "./test-request.ts";

type Thing = { "@type": string } & Record<string, unknown>;

/**
 * Properties that schema.org 30 defines for these types, their parents' included, of which the record may use.
 * EducationalOccupationalCredential is a CreativeWork: it has `dateCreated`, and no `validFrom`.
 */
const VOCABULARY: Readonly<Record<string, readonly string[]>> = {
  ProfilePage: ["url", "inLanguage", "mainEntity", "dateModified"],
  Person: [
    ...["name", "jobTitle", "description", "image", "email", "url", "address", "sameAs"],
    ...["worksFor", "alumniOf", "knowsAbout", "hasCredential"],
  ],
  PostalAddress: ["addressLocality", "addressRegion"],
  Organization: ["name", "url"],
  EducationalOrganization: ["name", "url"],
  EducationalOccupationalCredential: ["name", "recognizedBy", "dateCreated", "url"],
};

function isThing(value: unknown): value is Thing {
  return typeof value === "object" && value !== null && "@type" in value;
}

/** Names of properties that schema.org doesn't define where they stand. */
function findUnknown(thing: Thing): string[] {
  const known = VOCABULARY[thing["@type"]] ?? [];
  return Object.entries(thing).flatMap(([name, value]) => {
    const things = (Array.isArray(value) ? value : [value]).filter(isThing);
    const isKnown = name.startsWith("@") || known.includes(name);
    return [...(isKnown ? [] : [`${thing["@type"]}.${name}`]), ...things.flatMap(findUnknown)];
  });
}

function readRecord(request = toRequest("cv")) {
  const text = parseHead(request).querySelector("script")?.textContent;
  return JSON.parse(text ?? "null") as Thing & { mainEntity: Thing };
}

test("the record of the CV is a profile page about a person", () => {
  expect(readRecord(toRequest("cv", { prefix: "/tr", lang: "tr" }))).toEqual({
    "@context": "https://schema.org",
    "@type": "ProfilePage",
    url: `${ORIGIN}/tr/cv`,
    inLanguage: "tr",
    mainEntity: {
      "@type": "Person",
      "@id": `${ORIGIN}/cv#person`,
      name: "Ada",
      jobTitle: "Engineer",
      description: "Small tools",
      image: `${ORIGIN}/files/ada.jpg`,
      email: "ada@foyer.example",
      url: `${ORIGIN}/cv`,
      address: { "@type": "PostalAddress", addressLocality: "Çankaya", addressRegion: "Ankara" },
      sameAs: ["https://ada.example/", "https://github.com/ada", "https://www.linkedin.com/in/ada"],
      worksFor: [{ "@type": "Organization", name: "Çınar", url: "https://cinar.example/" }],
      alumniOf: [{ "@type": "EducationalOrganization", name: "ODTÜ" }],
      knowsAbout: ["PostgreSQL"],
      hasCredential: [
        {
          "@type": "EducationalOccupationalCredential",
          name: "Kubernetes",
          recognizedBy: { "@type": "Organization", name: "CNCF" },
          dateCreated: "2023-05",
        },
        { "@type": "EducationalOccupationalCredential", name: "SQL", url: `${ORIGIN}/files/sql.pdf` },
      ],
    },
  });
});

test("it uses no property that schema.org does not define", () => {
  expect(findUnknown(readRecord())).toEqual([]);
});

test("a part without content is left out, and so is an address that is none", () => {
  const record = readRecord(
    toCvRequest(
      {
        title: "",
        tagline: "",
        description: "",
        photo: null,
        email: null,
        website: "ada.example",
        address: { province: "", district: "" },
        links: [{ network: "Skype", url: "skype:ada", username: null }],
        confidences: [],
        experience: [],
        education: [],
        certificates: [],
      },
      { site: { ...SITE_INFO, github: null, linkedin: null } },
    ),
  );
  expect(Object.keys(record.mainEntity)).toEqual(["@type", "@id", "name", "url"]);
});
