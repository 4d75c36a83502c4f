import type pg from "pg";
import { SECTIONS } from "../test-cv.ts";
import type { MappedField, Section } from "./sections.ts";

/** Numbers from 0 to 1 that are the same for the same seed (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const KEYS = ["0123456789abcdef0123456789abcdef.png", "fedcba9876543210fedcba9876543210.pdf"];
const DEEP = `${'{"a":'.repeat(70)}1${"}".repeat(70)}`;

/** What an endpoint let through or somebody wrote with SQL, as JSON texts: jsonb takes numbers that JavaScript doesn't. */
const EXTRAS = [
  "null",
  "{}",
  "[1, 2]",
  "5",
  '{"en": 5, "tr": [1]}',
  '{"en": {}, "note": 1}',
  '{"tr": {"volunteer": "no list", "awards": [{"date": "2019-45"}, {"title": 7}]}}',
  '{"en": {"basics": {"url": "https://ghost.example.com/", "email": "no address", "location": "no object"}}}',
  '{"en": {"work": [{"name": "Ghost"}, 7], "basics": {"profiles": [{"url": ""}]}}}',
  '{"en": {"company": "Alias", "website": "https://alias.example.com/", "url": "skype:alias"}}',
  '{"tr": {"company": "Takma", "website": "https://takma.example.com/"}, "en": {"name": "Shadow"}}',
  '{"en": {"startDate": "May 2020", "endDate": "", "highlights": "none"}}',
  '{"en": {"basics": {"image": "https://old.example.com/files/0123456789abcdef0123456789abcdef.png"}}}',
  '{"tr": {"file": "/files/fedcba9876543210fedcba9876543210.pdf", "icon": "/files/0123456789abcdef0123456789abcdef.png"}}',
  '{"en": {"$schema": "nowhere", "meta": {"canonical": "::"}, "huge": 1e400, "long": 12345678901234567890}}',
  `{"en": {"deep": ${DEEP}}, "tr": {"__proto__": {"a": 1}, "x/y~z": [{"2": 1, "1": 2}]}}`,
];

const TEXTS = [null, null, "", "  ", "  padded ", "Plain", "Öğrenci İşleri ıI", "two\nlines & <b>", "Plain"];
const URLS = [
  null,
  null,
  "https://plain.example.com",
  "https://örnek.example.com/ş?q=ı#ğ",
  "https://odd.example.com/a|b^c{d}",
  "https://odd.example.com/%zz",
  "http://[::1]:8080/x",
  "javascript:alert(1)",
  "no address",
  `https://old.example.com/files/${KEYS[1]}`,
  "https://old.example.com/files/00000000000000000000000000000000.pdf",
];
const DATES = [null, null, "2020", "2021-02", "2021-02-28", "2021-02-30", "3050", "0999", "2024-13", "soon"];
const EMAILS = [null, "isil@ornek.example.com", "ışıl@örnek.com", "a@b", "x"];
const LISTS = [null, [], [""], ["one", " two ", ""], ["tek"]];

function createPicker(random: () => number) {
  return <Value>(values: readonly Value[]): Value => values[Math.floor(random() * values.length)] as Value; // never past the end
}
type Pick = ReturnType<typeof createPicker>;

function pickNeutral({ field }: MappedField, pick: Pick): unknown {
  switch (field.kind.name) {
    case "url":
      return pick(URLS);
    case "partial_date":
      return pick(DATES);
    case "email":
      return pick(EMAILS);
    case "file":
    case "image":
      return pick([null, ...KEYS]);
    default:
      return pick(TEXTS) ?? (field.isNullable ? null : "");
  }
}

function pickColumn(mapped: MappedField, pick: Pick): unknown {
  if (!mapped.isLocalized) return pickNeutral(mapped, pick);
  const sides = mapped.field.kind.name === "localized_list" ? LISTS : TEXTS;
  if (mapped.field.isNullable && pick([true, false, false])) return null;
  return pick<unknown>([
    { en: pick<unknown>(sides), tr: pick<unknown>(sides) },
    { en: pick<unknown>(sides) },
  ]);
}

async function insertRandomRow(pool: pg.Pool, section: Section, pick: Pick): Promise<void> {
  const columns = Object.fromEntries(
    section.fields.map((mapped) => [mapped.column, pickColumn(mapped, pick)]),
  );
  const position = section.listAt ? { position: pick([0, 0, 1, 2, 5, -3, 2_147_483_647]) } : {};
  const names = [...Object.keys(columns), ...Object.keys(position), "extra"].join(", ");
  const table = section.model.table;
  await pool.query(
    `INSERT INTO ${table} (${names})
     SELECT ${names} FROM jsonb_populate_record(NULL::${table}, $1::jsonb || jsonb_build_object('extra', $2::jsonb))`,
    [JSON.stringify({ ...columns, ...position }), pick(EXTRAS)],
  );
}

/** Fills the CV with what admin forms, other programs and hands may leave there. For tests. */
export async function fillRandomly(pool: pg.Pool, seed: number): Promise<void> {
  const pick = createPicker(createRandom(seed));
  for (const key of KEYS) {
    const mediaType = key.endsWith("png") ? "image/png" : "application/pdf";
    await pool.query("INSERT INTO stored_file (key, name, media_type, byte_size) VALUES ($1, $1, $2, 1)", [
      key,
      mediaType,
    ]);
  }
  for (const section of SECTIONS) {
    const count = section.listAt ? pick([0, 1, 2, 4, 6]) : pick([0, 1, 1, 1]);
    for (let row = 0; row < count; row++) await insertRandomRow(pool, section, pick);
  }
}
