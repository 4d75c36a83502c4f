import { boolean, integer, pgTable, text } from "drizzle-orm/pg-core";
import { baseColumns, searchColumn, searchIndex } from "#server/models/columns.ts";
import { declareModel, STAFF_CONTENT, TIMESTAMP_FIELDS } from "#server/models/declare.ts";

/** What nobody below 999 may see at any endpoint: the value of a hidden field, and a row that a rule hides. */
export const HIDDEN_VALUE = "HIDDENVALUE";
export const HIDDEN_ROW = "HIDDENROW";
/** What everybody's audit entries keep out: the value of a secret field. */
export const SECRET_VALUE = "SECRETVALUE";

const vaultTable = pgTable(
  "test_vault",
  {
    ...baseColumns(),
    title: text("title").notNull(),
    is_open: boolean("is_open").notNull().default(true),
    code: text("code"),
    pin: text("pin"),
    twin_id: integer("twin_id"),
    search: searchColumn({ plain: ["title"] }),
  },
  (table) => [searchIndex("test_vault", table.search)],
);

/** A model with a hidden field, a secret one, a field that few may write, and rows that few may see. */
export const vault = declareModel({
  app: "test",
  name: "vault",
  table: vaultTable,
  labels: { en: "Vault", tr: "Kasa" },
  pluralLabels: { en: "Vaults", tr: "Kasalar" },
  help: { en: "Vaults of tests.", tr: "Test kasaları." },
  fields: {
    title: { kind: "text", labels: { en: "Title", tr: "Başlık" } },
    is_open: { kind: "boolean", labels: { en: "Open", tr: "Açık" }, writeLevel: 999 },
    code: { kind: "text", labels: { en: "Code", tr: "Kod" }, viewLevel: 999 },
    pin: { kind: "text", labels: { en: "PIN", tr: "PIN" }, secret: true },
    twin_id: { kind: "relation", labels: { en: "Twin", tr: "İkiz" }, related: "test.vault" },
    ...TIMESTAMP_FIELDS,
  },
  title: "title",
  list: ["title", "is_open", "twin_id"],
  search: ["title"],
  defaultSort: [{ field: "title", direction: "asc" }],
  access: STAFF_CONTENT,
  rows: [
    {
      belowLevel: 999,
      operations: ["view", "update", "delete"],
      where: { field: "is_open", operator: "exact", value: true },
    },
  ],
});

/** Three rows: 1 is open and its twin is hidden, 2 is hidden, 3 is open. */
export const VAULT_SQL = `
  CREATE TABLE test_vault (
    id integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    created_at timestamptz NOT NULL DEFAULT now(), updated_at timestamptz NOT NULL DEFAULT now(),
    title text NOT NULL, is_open boolean NOT NULL DEFAULT true, code text, pin text, twin_id integer REFERENCES test_vault (id),
    search text GENERATED ALWAYS AS (foyer_fold(coalesce("title", ''))) STORED);
  INSERT INTO test_vault (title, is_open, code, pin)
  VALUES ('Open', true, '${HIDDEN_VALUE}', '${SECRET_VALUE}'), ('${HIDDEN_ROW}', false, 'x', 'y'), ('Plain', true, NULL, NULL);
  UPDATE test_vault SET twin_id = 2 WHERE id = 1`;

const drawerTable = pgTable(
  "test_drawer",
  {
    ...baseColumns(),
    title: text("title").notNull(),
    code: text("code"),
    pin: text("pin"),
    vault_id: integer("vault_id"),
    search: searchColumn({ plain: ["title"] }),
  },
  (table) => [searchIndex("test_drawer", table.search)],
);

/** Rows for everybody, so that the log shows each to staff: with a hidden field, a secret one, and a vault that few may see. */
export const drawer = declareModel({
  app: "test",
  name: "drawer",
  table: drawerTable,
  labels: { en: "Drawer", tr: "Çekmece" },
  pluralLabels: { en: "Drawers", tr: "Çekmeceler" },
  help: { en: "Drawers of tests.", tr: "Test çekmeceleri." },
  fields: {
    title: { kind: "text", labels: { en: "Title", tr: "Başlık" } },
    code: { kind: "text", labels: { en: "Code", tr: "Kod" }, viewLevel: 999 },
    pin: { kind: "text", labels: { en: "PIN", tr: "PIN" }, secret: true },
    vault_id: { kind: "relation", labels: { en: "Vault", tr: "Kasa" }, related: "test.vault" },
    ...TIMESTAMP_FIELDS,
  },
  title: "title",
  list: ["title", "vault_id"],
  search: ["title"],
  defaultSort: [{ field: "title", direction: "asc" }],
  access: STAFF_CONTENT,
});

/** After `VAULT_SQL`: one drawer, of the open vault. */
export const DRAWER_SQL = `
  CREATE TABLE test_drawer (
    id integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    created_at timestamptz NOT NULL DEFAULT now(), updated_at timestamptz NOT NULL DEFAULT now(),
    title text NOT NULL, code text, pin text, vault_id integer REFERENCES test_vault (id),
    search text GENERATED ALWAYS AS (foyer_fold(coalesce("title", ''))) STORED);
  INSERT INTO test_drawer (title, code, pin, vault_id) VALUES ('Drawer', 'x', 'y', 1)`;
