import { type SQL, sql } from "drizzle-orm";
import { boolean, type ExtraConfigColumn, index, integer, jsonb, text, timestamp } from "drizzle-orm/pg-core";
import type { LocalizedText } from "#contract/languages.ts";
import { quoteName } from "../db/sql.ts";
import { foldedSearchSql, localizedSearchSql, plainSearchSql } from "./filter-sql.ts";

/** Texts of a list in both languages; a missing side is null. */
export interface LocalizedList {
  en: string[] | null;
  tr: string[] | null;
}

/** Columns that every content table has. `updated_at` is set by whoever writes the row. */
export function baseColumns() {
  return {
    id: integer("id").primaryKey().generatedAlwaysAsIdentity(),
    created_at: timestamp("created_at", { withTimezone: true, mode: "string" }).notNull().defaultNow(),
    updated_at: timestamp("updated_at", { withTimezone: true, mode: "string" }).notNull().defaultNow(),
  };
}

/** `{ en, tr }`, one of them possibly null. */
export function localizedColumn(name: string) {
  return jsonb(name).$type<LocalizedText>();
}

/** `{ en: string[], tr: string[] }`. */
export function localizedListColumn(name: string) {
  return jsonb(name).$type<LocalizedList>();
}

/** Keys of an imported JSON Resume item that the model has no field for, per language. */
export function extraColumn() {
  return jsonb("extra").$type<{ en?: Record<string, unknown>; tr?: Record<string, unknown> }>();
}

/** Columns that every item of the CV has: its place among its siblings, from 1; whether the public site leaves it out; `extra`. */
export function itemColumns() {
  return {
    position: integer("position").notNull().default(0),
    is_hidden: boolean("is_hidden").notNull().default(false),
    extra: extraColumn(),
  };
}

/**
 * The folded text that searches read, kept by PostgreSQL. Arguments are column names; `.localized` ones hold both languages.
 * The function is made by the first migration. Changing the arguments of a table that exists drops the column and its index
 * (drizzle-kit does not warn): write such a migration by hand.
 */
export function searchColumn(columns: { plain?: readonly string[]; localized?: readonly string[] }) {
  const parts = [
    ...(columns.plain ?? []).map((name) => plainSearchSql(quoteName(name))),
    ...(columns.localized ?? []).map((name) => localizedSearchSql(quoteName(name))),
  ];
  return text("search").generatedAlwaysAs(sql.raw(foldedSearchSql(parts)) as SQL);
}

/** The trigram index that makes `searchColumn` fast. */
export function searchIndex(table: string, column: ExtraConfigColumn) {
  return index(`${table}_search_trgm`).using("gin", column.op("gin_trgm_ops"));
}
