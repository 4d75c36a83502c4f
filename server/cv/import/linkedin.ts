import { parse } from "csv-parse/sync";
import { unzipSync } from "fflate";
import { isCalendarDate, PARTIAL_DATE } from "#contract/partial-date.ts";
import type { ImportFormat } from "#contract/site/cv-import.ts";
import { ResumeError } from "../resume/faults.ts";
import type { JsonObject, JsonValue } from "../resume/json.ts";
import { decodeResume, parseResume } from "../resume/resume-file.ts";

/*
 * LinkedIn's data export: a zip of CSV files, of which these are read and no other: messages and contacts of other people among them
 * stay unread. Columns as the exports of 2023 to 2025 have them; those that aren't there count as empty.
 */

const FILES = [
  "Profile.csv",
  "Email Addresses.csv",
  "Positions.csv",
  "Education.csv",
  "Skills.csv",
  "Certifications.csv",
  "Projects.csv",
  "Languages.csv",
  "Honors.csv",
  "Publications.csv",
  "Volunteering.csv",
] as const;
type FileName = (typeof FILES)[number];

/** A complete export has some hundred entries. */
const MAX_ENTRIES = 5_000;
/** Of one of these files, unpacked, and of its rows. */
const MAX_CSV_BYTES = 5 * 1024 * 1024;
const MAX_ROWS = 2_000;

type Row = Readonly<Record<string, string>>;
type Tables = ReadonlyMap<FileName, readonly Row[]>;

/** Whether bytes begin as a zip does. */
function isZip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x50 && bytes[1] === 0x4b && (bytes[2] === 3 || bytes[2] === 5);
}

/** The files of the export that we read, by their names; LinkedIn has had them in a folder too. @throws ResumeError */
function unpack(bytes: Uint8Array): Map<FileName, Uint8Array> {
  const names = new Map<string, FileName>();
  let count = 0;
  const filter = ({ name, originalSize }: { name: string; originalSize: number }) => {
    count += 1;
    if (count > MAX_ENTRIES) throw new ResumeError([{ name: "zipEntries", vars: { max: MAX_ENTRIES } }]);
    const known = FILES.find((file) => name === file || name.endsWith(`/${file}`));
    if (known === undefined || [...names.values()].includes(known)) return false;
    if (originalSize > MAX_CSV_BYTES)
      throw new ResumeError([
        { name: "zipEntrySize", vars: { file: known, max: MAX_CSV_BYTES / 1024 / 1024 } },
      ]);
    names.set(name, known);
    return true;
  };
  try {
    // Each is unpacked into as many bytes as were announced, and no more.
    const found = unzipSync(bytes, { filter });
    return new Map(
      [...names].flatMap(([name, known]) => (found[name] ? [[known, found[name]] as const] : [])),
    );
  } catch (error) {
    if (error instanceof ResumeError) throw error;
    throw new ResumeError([{ name: "zipDamaged" }]);
  }
}

/** Rows by their columns' names; texts trimmed. @throws ResumeError */
function readTable(name: FileName, bytes: Uint8Array): Row[] {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    const rows: Record<string, string>[] = parse(text, {
      bom: true,
      columns: true,
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
      to: MAX_ROWS,
    });
    return rows;
  } catch {
    throw new ResumeError([{ name: "zipTable", vars: { file: name } }]);
  }
}

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/** A date, without its day where the month has none such; undefined for the year 0. */
function toKnownDay(date: string): string | undefined {
  return [date, date.slice(0, "YYYY-MM".length)].find(isCalendarDate);
}

/**
 * `Jan 2020`, `Jan 5, 2020`, `2020` and `2020-01-05` as JSON Resume has dates; a day that no calendar has as its month. Undefined for
 * what is none of these.
 */
export function toDate(text: string | undefined): string | undefined {
  const given = (text ?? "").trim();
  if (PARTIAL_DATE.test(given)) return toKnownDay(given);
  const [, word = "", day, year] = /^([A-Za-z]{3})[a-z]*\.? (?:(\d{1,2}),? )?(\d{4})$/.exec(given) ?? [];
  const month = MONTHS.indexOf(word.toLowerCase()) + 1;
  if (month === 0 || year === undefined) return undefined;
  return toKnownDay([year, String(month).padStart(2, "0"), ...(day ? [day.padStart(2, "0")] : [])].join("-"));
}

/** An address on the web; LinkedIn shows those without a scheme too. */
function toUrl(text: string | undefined): string | undefined {
  const given = (text ?? "").trim();
  if (given === "") return undefined;
  const url = URL.parse(/^https?:/i.test(given) ? given : `https://${given}`);
  return url?.hostname.includes(".") ? url.href : undefined;
}

/** An item with the keys that say something; undefined where none does. */
function toItem(values: Readonly<Record<string, JsonValue | undefined>>): JsonObject | undefined {
  const said = Object.entries(values).filter(
    (entry): entry is [string, JsonValue] => entry[1] !== undefined && entry[1] !== "",
  );
  return said.length > 0 ? Object.fromEntries(said) : undefined;
}

function toPeriod(row: Row, start = "Started On", end = "Finished On") {
  return { startDate: toDate(row[start]), endDate: toDate(row[end]) };
}

/** `[PORTFOLIO:https://a.example,COMPANY:https://b.example]` → the first address. */
function findWebsite(text: string | undefined): string | undefined {
  return toUrl(/(?:^|[[,])(?:\s*[A-Z_ ]+:)?((?:https?:\/\/)?[^\s,\]:]+\.[^\s,\]]+)/i.exec(text ?? "")?.[1]);
}

function toBasics(tables: Tables): JsonObject {
  const [profile = {}] = tables.get("Profile.csv") ?? [];
  const emails = tables.get("Email Addresses.csv") ?? [];
  const primary = emails.find((row) => /^yes$/i.test(row.Primary ?? "")) ?? emails[0];
  const city = profile["Geo Location"] ?? "";
  const handle = /[\w]+/.exec(profile["Twitter Handles"] ?? "")?.[0];
  return (
    toItem({
      name: [profile["First Name"], profile["Last Name"]].filter(Boolean).join(" "),
      label: profile.Headline,
      summary: profile.Summary,
      email: primary?.["Email Address"],
      url: findWebsite(profile.Websites),
      location: city === "" ? undefined : { city },
      profiles: handle ? [{ network: "X", username: handle, url: `https://x.com/${handle}` }] : undefined,
    }) ?? {}
  );
}

/** How a row of each file becomes an item, and of which list. */
const LISTS: readonly {
  file: FileName;
  list: string;
  toValues: (row: Row) => Record<string, string | undefined>;
}[] = [
  {
    file: "Positions.csv",
    list: "work",
    toValues: (row) => ({
      name: row["Company Name"],
      position: row.Title,
      location: row.Location,
      summary: row.Description,
      ...toPeriod(row),
    }),
  },
  {
    file: "Volunteering.csv",
    list: "volunteer",
    toValues: (row) => ({
      organization: row["Company Name"],
      position: row.Role,
      summary: row.Description || row.Cause,
      ...toPeriod(row),
    }),
  },
  {
    file: "Education.csv",
    list: "education",
    toValues: (row) => ({
      institution: row["School Name"],
      studyType: row["Degree Name"],
      ...toPeriod(row, "Start Date", "End Date"),
    }),
  },
  {
    file: "Honors.csv",
    list: "awards",
    toValues: (row) => ({ title: row.Title, date: toDate(row["Issued On"]), summary: row.Description }),
  },
  {
    file: "Certifications.csv",
    list: "certificates",
    toValues: (row) => ({
      name: row.Name,
      issuer: row.Authority,
      date: toDate(row["Started On"]),
      url: toUrl(row.Url),
    }),
  },
  {
    file: "Publications.csv",
    list: "publications",
    toValues: (row) => ({
      name: row.Name,
      publisher: row.Publisher,
      releaseDate: toDate(row["Published On"]),
      url: toUrl(row.Url),
      summary: row.Description,
    }),
  },
  { file: "Skills.csv", list: "skills", toValues: (row) => ({ name: row.Name }) },
  {
    file: "Languages.csv",
    list: "languages",
    toValues: (row) => ({ language: row.Name, fluency: row.Proficiency }),
  },
  {
    file: "Projects.csv",
    list: "projects",
    toValues: (row) => ({
      name: row.Title,
      description: row.Description,
      url: toUrl(row.Url),
      ...toPeriod(row),
    }),
  },
];

/**
 * Keys of JSON Resume that an export of LinkedIn's can fill, by the place of their list; "": of the file itself. Everything else a CV
 * holds, such an export has no place for.
 */
export const LINKEDIN_KEYS: ReadonlyMap<string, readonly string[]> = new Map([
  ["", ["name", "label", "summary", "email", "url", "location.city"].map((key) => `basics.${key}`)],
  ["basics.profiles", ["network", "username", "url"]],
  ...LISTS.map(({ list, toValues }) => [list, Object.keys(toValues({}))] as const),
]);

/** The file of the export that a list of the document came from. */
export function findSource(list: string): string {
  return LISTS.find((one) => one.list === list)?.file ?? "Profile.csv";
}

/**
 * A LinkedIn data export as a JSON Resume document, which is then planned as any other file.
 * @throws ResumeError where the zip is none of LinkedIn's
 */
export function readLinkedIn(bytes: Uint8Array): JsonObject {
  const files = unpack(bytes);
  if (!files.has("Profile.csv") && !files.has("Positions.csv")) throw new ResumeError([{ name: "zipOther" }]);
  const tables = new Map([...files].map(([name, content]) => [name, readTable(name, content)]));
  const lists = LISTS.map(({ file, list, toValues }) => {
    const items = (tables.get(file) ?? []).flatMap((row) => toItem(toValues(row)) ?? []);
    return [list, items] as const;
  });
  return { basics: toBasics(tables), ...Object.fromEntries(lists.filter(([, items]) => items.length > 0)) };
}

/** What a file says, whichever of the two it is: a zip of LinkedIn's, or a JSON Resume. @throws ResumeError */
export function readImported(bytes: Uint8Array): { document: JsonValue; format: ImportFormat } {
  return isZip(bytes)
    ? { document: readLinkedIn(bytes), format: "linkedin" }
    : { document: parseResume(decodeResume(bytes)), format: "json_resume" };
}
