import {
  bigint,
  boolean,
  date,
  integer,
  jsonb,
  numeric,
  pgTable,
  text,
  timestamp,
} from "drizzle-orm/pg-core";
import {
  baseColumns,
  localizedColumn,
  localizedListColumn,
  searchColumn,
  searchIndex,
} from "#server/models/columns.ts";
import {
  declareModel,
  type FieldDeclaration,
  STAFF_CONTENT,
  TIMESTAMP_FIELDS,
} from "#server/models/declare.ts";
import { userTable } from "#server/models/declared/user.ts";

/** A model with a field of every kind, called as the kind, beside fields with a rule each. The product does not have it. */
const everythingTable = pgTable(
  "test_everything",
  {
    ...baseColumns(),
    title: text("title").notNull(),
    text: text("text"),
    long_text: text("long_text"),
    markdown: text("markdown"),
    localized_text: localizedColumn("localized_text"),
    localized_long_text: localizedColumn("localized_long_text"),
    localized_markdown: localizedColumn("localized_markdown"),
    localized_list: localizedListColumn("localized_list"),
    integer: integer("integer"),
    big_integer: bigint("big_integer", { mode: "number" }),
    decimal: numeric("decimal", { precision: 12, scale: 2 }),
    boolean: boolean("boolean"),
    date: date("date"),
    partial_date: text("partial_date"),
    date_time: timestamp("date_time", { withTimezone: true, mode: "string" }),
    choice: text("choice"),
    choices: text("choices").array(),
    json: jsonb("json"),
    email: text("email"),
    lower_email: text("lower_email"),
    url: text("url"),
    colour: text("colour"),
    accent: text("accent"),
    slug: text("slug"),
    order: integer("order").notNull().default(0),
    file: text("file"),
    image: text("image"),
    relation: integer("relation"),
    owner: integer("owner").references(() => userTable.id, { onDelete: "set null" }),
    is_private: boolean("is_private").notNull().default(false),
    /** Unknown below level 999. */
    hidden: text("hidden"),
    /** Written from level 999 on. */
    locked: text("locked"),
    secret: text("secret"),
    fixed: integer("fixed").notNull().default(7),
    search: searchColumn({ plain: ["title"], localized: ["localized_text"] }),
  },
  (table) => [searchIndex("test_everything", table.search)],
);

const COLOURS = [
  { value: "red", labels: { en: "Red", tr: "Kırmızı" } },
  { value: "green", labels: { en: "Green", tr: "Yeşil" } },
  { value: "blue", labels: { en: "Blue", tr: "Mavi" } },
];
const PICTURES = ["image/png", "image/jpeg", "image/webp"];

/** A field that is called as its kind. */
function ofKind(kind: string, more: Partial<FieldDeclaration> = {}): FieldDeclaration {
  return { kind, labels: { en: `A ${kind}`, tr: `Bir ${kind}` }, ...more };
}

const SELF = "test.everything";

export const everything = declareModel({
  app: "test",
  name: "everything",
  table: everythingTable,
  labels: { en: "Everything", tr: "Her şey" },
  pluralLabels: { en: "Everything", tr: "Her şey" },
  help: { en: "Every kind of field.", tr: "Her türden alan." },
  fields: {
    title: { kind: "text", labels: { en: "Title", tr: "Başlık" }, maxLength: 200 },
    text: ofKind("text", { maxLength: 100 }),
    long_text: ofKind("long_text"),
    markdown: ofKind("markdown"),
    localized_text: ofKind("localized_text", { maxLength: 100 }),
    localized_long_text: ofKind("localized_long_text"),
    localized_markdown: ofKind("localized_markdown"),
    localized_list: ofKind("localized_list", { maxLength: 100 }),
    integer: ofKind("integer"),
    big_integer: ofKind("big_integer"),
    decimal: ofKind("decimal", { digits: { total: 12, scale: 2 } }),
    boolean: ofKind("boolean"),
    date: ofKind("date"),
    partial_date: ofKind("partial_date"),
    date_time: ofKind("date_time"),
    choice: ofKind("choice", { choices: COLOURS }),
    choices: ofKind("choices", { choices: COLOURS }),
    json: ofKind("json"),
    email: ofKind("email"),
    lower_email: ofKind("lower_email"),
    url: ofKind("url"),
    colour: ofKind("colour"),
    accent: ofKind("accent"),
    slug: ofKind("slug"),
    order: ofKind("order", { required: false }),
    file: ofKind("file", { accept: [...PICTURES, "application/pdf"] }),
    image: ofKind("image", { accept: PICTURES }),
    relation: ofKind("relation", { related: SELF }),
    relation_many: ofKind("relation_many", {
      related: SELF,
      through: { table: "test_everything_link", from: "from_id", to: "to_id" },
    }),
    file_uses: ofKind("file_uses", {
      readOnly: true,
      choices: [
        { value: "used", labels: { en: "Used", tr: "Kullanılıyor" } },
        { value: "unused", labels: { en: "Unused", tr: "Kullanılmıyor" } },
        { value: "new", labels: { en: "New", tr: "Yeni" } },
      ],
    }),
    computed: ofKind("computed", { of: "integer", sql: "{row}.integer * 2" }),
    owner: { kind: "relation", labels: { en: "Owner", tr: "Sahibi" }, related: "accounts.user" },
    is_private: { kind: "boolean", labels: { en: "Private", tr: "Özel" } },
    hidden: { kind: "text", labels: { en: "Hidden", tr: "Gizli" }, viewLevel: 999 },
    locked: { kind: "text", labels: { en: "Locked", tr: "Kilitli" }, writeLevel: 999 },
    secret: { kind: "text", labels: { en: "Secret", tr: "Sır" }, secret: true },
    fixed: { kind: "integer", labels: { en: "Fixed", tr: "Sabit" }, readOnly: true },
    ...TIMESTAMP_FIELDS,
  },
  title: "title",
  list: ["title", "choice", "decimal", "date", "relation"],
  search: ["title", "localized_text"],
  defaultSort: [{ field: "order", direction: "asc" }],
  access: STAFF_CONTENT,
  rows: [
    {
      belowLevel: 999,
      operations: ["view", "update", "delete"],
      where: {
        or: [
          { field: "is_private", value: false },
          { field: "owner", value: "@me" },
        ],
      },
    },
  ],
});

/** Key of a stored file that `EVERY_KIND_SQL` puts in; its content is nowhere. */
const EVERY_KIND_FILE_KEY = "0123456789abcdef0123456789abcdef.png";

/** The table's statements, as drizzle-kit would generate them. */
export const EVERY_KIND_SQL = `
  CREATE TABLE test_everything (
    id integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    created_at timestamptz NOT NULL DEFAULT now(), updated_at timestamptz NOT NULL DEFAULT now(),
    title text NOT NULL, text text, long_text text, markdown text,
    localized_text jsonb, localized_long_text jsonb, localized_markdown jsonb, localized_list jsonb,
    integer integer, big_integer bigint, decimal numeric(12, 2), boolean boolean,
    date date, partial_date text, date_time timestamptz, choice text, choices text[], json jsonb,
    email text, lower_email text, url text, colour text, accent text, slug text, "order" integer NOT NULL DEFAULT 0,
    file text REFERENCES stored_file(key), image text REFERENCES stored_file(key),
    relation integer REFERENCES test_everything(id),
    owner integer REFERENCES account_user(id) ON DELETE SET NULL, is_private boolean NOT NULL DEFAULT false,
    hidden text, locked text, secret text, fixed integer NOT NULL DEFAULT 7,
    search text GENERATED ALWAYS AS (
      foyer_fold(coalesce(title, '') || ' ' || coalesce(localized_text ->> 'en', '') || ' ' || coalesce(localized_text ->> 'tr', ''))
    ) STORED);
  CREATE INDEX test_everything_search_trgm ON test_everything USING gin (search gin_trgm_ops);
  CREATE TABLE test_everything_link (
    from_id integer NOT NULL REFERENCES test_everything(id) ON DELETE CASCADE,
    to_id integer NOT NULL REFERENCES test_everything(id) ON DELETE CASCADE,
    PRIMARY KEY (from_id, to_id));
  CREATE INDEX test_everything_link_to ON test_everything_link (to_id);
  INSERT INTO stored_file (key, name, media_type, byte_size) VALUES ('${EVERY_KIND_FILE_KEY}', 'dot.png', 'image/png', 67)`;

const PLACES = ["İzmir", "Iğdır", "ışık", "isim", "çilek", "Şile", "Zebra", "zil", "100%", "under_score"];

/** Number `i` in a list, begun anew at its end. */
function pick<Item>(items: readonly Item[], i: number): Item {
  return items[i % items.length] as Item; // the index is within the list
}

function toDay(i: number): string {
  return new Date(Date.UTC(2024, 0, 1 + (i % 1000))).toISOString().slice(0, 10);
}

/** Valid values of row `i`, as a client with level 10 writes them. Relations are not among them: they need rows that are there. */
export function everyKindRow(i: number): Record<string, unknown> {
  const place = pick(PLACES, i);
  return {
    title: `${place} ${i}`,
    text: `${place}-${i % 7}`,
    long_text: `First line ${i}\nsecond line, "quoted"; ${place}`,
    markdown: `## ${place}\n\n- one\n- **two**`,
    localized_text: { en: `Name ${i}`, tr: i % 3 === 0 ? null : `Ad ${place}` },
    localized_long_text: { en: `Text ${i}\nmore`, tr: `Metin ${i}` },
    localized_markdown: { en: `**Text** ${i}`, tr: null },
    localized_list: { en: [`first ${i}`, "second"], tr: null },
    integer: (i % 50) - 10,
    big_integer: 3_000_000_000 + i,
    decimal: `${(i % 20) - 5}.${String(i % 100).padStart(2, "0")}`,
    boolean: i % 2 === 0,
    date: toDay(i),
    partial_date: pick([toDay(i).slice(0, 4), toDay(i).slice(0, 7), toDay(i)], i),
    date_time: `${toDay(i)}T12:00:00.${String(i % 1000).padStart(3, "0")}Z`,
    choice: pick(["red", "green", "blue"], i),
    choices: pick([["red"], ["red", "blue"], ["green", "blue"]], i),
    json: { number: i, list: [1, null, "ş"] },
    email: `person${i}@example.org`,
    lower_email: `person${i}@example.org`,
    url: `https://example.org/${i}?q=a&b=c`,
    colour: `#${(i % 0xffffff).toString(16).padStart(6, "0")}`,
    accent: `#${(i % 0xfff).toString(16).padStart(6, "0")}`,
    slug: `entry-${i}`,
    order: i,
    file: `/files/${EVERY_KIND_FILE_KEY}`,
    image: i % 2 === 0 ? `/files/${EVERY_KIND_FILE_KEY}` : null,
    is_private: false,
    secret: `secret ${i}`,
  };
}
