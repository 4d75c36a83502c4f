import { describe, expect, test } from "@jest/globals";
import { strToU8, zipSync } from "fflate";
import { findSchemaFaults } from "../resume/faults.ts";
import { readImported, readLinkedIn, toDate } from "./linkedin.ts";

const zip = (files: Record<string, string>) =>
  zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])));

const PROFILE = [
  "\uFEFFFirst Name,Last Name,Maiden Name,Headline,Summary,Geo Location,Twitter Handles,Websites",
  'Işıl,Örnek,,"Engineer, queues","First line',
  'and ""second"" line","İzmir, Türkiye","[isil]","[PORTFOLIO:https://isil.example/a,BLOG:https://b.example]"',
].join("\r\n");

const EXPORT = {
  "Profile.csv": PROFILE,
  "Email Addresses.csv":
    "Email Address,Confirmed,Primary,Updated On\nold@example.org,Yes,No,1/1/20\nnew@example.org,Yes,Yes,1/1/21\n",
  "PhoneNumbers.csv": "Extension,Number,Type\n,+90 555 000 00 00,Mobile\n",
  "Positions.csv":
    'Company Name,Title,Description,Location,Started On,Finished On\nKuyruk A.Ş.,Lead,"Queues,\nand more",İzmir,Mar 2021,\nOld Ltd,Junior,,,2015,Feb 2021\n',
  "Education.csv": "School Name,Start Date,End Date,Notes,Degree Name,Activities\nEge,2008,2012,,BSc,\n",
  "Skills.csv": "Name\nPostgreSQL\nTypeScript\n",
  "Certifications.csv":
    "Name,Url,Authority,Started On,Finished On,License Number\nCKA,cncf.example/cka,CNCF,Jan 2020,,42\n",
  "Projects.csv":
    "Title,Description,Url,Started On,Finished On\nTeapot,Pours,https://tea.example,Jun 2019,\n",
  "Languages.csv": "Name,Proficiency\nTurkish,Native or bilingual proficiency\n",
  "Honors.csv": "Title,Description,Issued On\nCup,For pouring,May 2018\n",
  "Publications.csv": 'Name,Published On,Description,Publisher,Url\nOn Tea,"Nov 3, 2017",Steam,ACM,\n',
  "Volunteering.csv":
    "Company Name,Role,Cause,Started On,Finished On,Description\nShelter,Helper,Animal Welfare,Jan 2016,Dec 2016,\n",
};

describe("an export of LinkedIn", () => {
  test("becomes a résumé that the schema takes, with everything that is the person's own", () => {
    const document = readLinkedIn(zip({ ...EXPORT, "messages.csv": "FROM\nsomebody" }));
    expect(findSchemaFaults(document)).toEqual([]);
    expect(document).toEqual({
      basics: {
        name: "Işıl Örnek",
        label: "Engineer, queues",
        summary: 'First line\r\nand "second" line',
        email: "new@example.org",
        url: "https://isil.example/a",
        location: { city: "İzmir, Türkiye" },
        profiles: [{ network: "X", username: "isil", url: "https://x.com/isil" }],
      },
      work: [
        {
          name: "Kuyruk A.Ş.",
          position: "Lead",
          location: "İzmir",
          summary: "Queues,\nand more",
          startDate: "2021-03",
        },
        { name: "Old Ltd", position: "Junior", startDate: "2015", endDate: "2021-02" },
      ],
      volunteer: [
        {
          organization: "Shelter",
          position: "Helper",
          summary: "Animal Welfare",
          startDate: "2016-01",
          endDate: "2016-12",
        },
      ],
      education: [{ institution: "Ege", studyType: "BSc", startDate: "2008", endDate: "2012" }],
      awards: [{ title: "Cup", date: "2018-05", summary: "For pouring" }],
      certificates: [{ name: "CKA", issuer: "CNCF", date: "2020-01", url: "https://cncf.example/cka" }],
      publications: [{ name: "On Tea", publisher: "ACM", releaseDate: "2017-11-03", summary: "Steam" }],
      skills: [{ name: "PostgreSQL" }, { name: "TypeScript" }],
      languages: [{ language: "Turkish", fluency: "Native or bilingual proficiency" }],
      projects: [{ name: "Teapot", description: "Pours", url: "https://tea.example/", startDate: "2019-06" }],
    });
  });

  test("may have its files in a folder, and a profile alone is enough", () => {
    const inFolder = readLinkedIn(zip({ "Basic_LinkedInDataExport/Profile.csv": PROFILE }));
    expect(inFolder).toMatchObject({ basics: { name: "Işıl Örnek" } });
    expect(Object.keys(inFolder)).toEqual(["basics"]);
  });

  test("whose rows are cut short or empty gives what they say", () => {
    const document = readLinkedIn(
      zip({ "Profile.csv": "First Name,Last Name\nCher", "Skills.csv": "Name\n\n\nTea\n", "Honors.csv": "" }),
    );
    expect(document).toEqual({ basics: { name: "Cher" }, skills: [{ name: "Tea" }] });
  });
});

test("what it is stands beside it, for a plan must know what its silence means", () => {
  expect(readImported(zip({ "Profile.csv": PROFILE })).format).toBe("linkedin");
  expect(readImported(strToU8("{}"))).toEqual({ document: {}, format: "json_resume" });
});

describe("is refused in words:", () => {
  const refusal = (bytes: Uint8Array) => () => readImported(bytes);

  test("a zip of something else", () => {
    expect(refusal(zip({ "holiday.csv": "a" }))).toThrow("no LinkedIn data export");
  });

  test("a zip that ends too early", () => {
    expect(refusal(zip(EXPORT).subarray(0, 400))).toThrow("damaged or not whole");
  });

  test("a table that is none", () => {
    expect(refusal(zip({ "Profile.csv": 'First Name\n"open' }))).toThrow(
      "Profile.csv can't be read as a table",
    );
    const latin = zipSync({ "Profile.csv": Buffer.from("First Name\nI\xfe\xfdl", "latin1") });
    expect(refusal(latin)).toThrow("in UTF-8");
  });

  test("a zip that unpacks to more than it should, without unpacking it", () => {
    const bomb = zip({ "Profile.csv": PROFILE, "Skills.csv": "a".repeat(6 * 1024 * 1024) });
    expect(bomb.byteLength).toBeLessThan(20_000);
    expect(refusal(bomb)).toThrow("Skills.csv is larger than 5 MB");
  });

  test("a zip with more entries than any export", () => {
    const entries = Object.fromEntries(
      Array.from({ length: 5_001 }, (_, at) => [`${at}.txt`, new Uint8Array()]),
    );
    expect(refusal(zipSync(entries, { level: 0 }))).toThrow("more than 5000 entries");
  });
});

test.each([
  ["Jan 2020", "2020-01"],
  ["September 2019", "2019-09"],
  ["Dec 5, 2017", "2017-12-05"],
  ["2015", "2015"],
  ["2020-01-05", "2020-01-05"],
  ["Feb 31, 2021", "2021-02"],
  ["2021-02-31", "2021-02"],
  ["0000", undefined],
  ["Jan 0000", undefined],
  ["2020-13", undefined],
  ["Foo 2020", undefined],
  ["1/2/20", undefined],
  ["", undefined],
])("the date %j is %j", (text, date) => {
  expect(toDate(text)).toBe(date);
});
