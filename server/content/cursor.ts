import type { Language } from "#contract/languages.ts";
import { AppError } from "#server/base/errors.ts";
import type { Model } from "#server/models/model.ts";
import type { KeyValues, SortKey } from "./sort-keys.ts";

/** The list that a cursor belongs to. */
export interface ListOrder {
  model: Model;
  keys: readonly SortKey[];
  lang: Language;
}

/** Texts sort and read by language, so that a cursor of one says nothing in the other. */
function toSignature({ model, keys, lang }: ListOrder): string {
  return [model.key, lang, ...keys.map((key) => `${key.direction} ${key.field}`)].join(",");
}

/** Text of the place behind a row: opaque to clients, who may send it back as `cursor`. */
export function encodeCursor(order: ListOrder, values: KeyValues): string {
  return Buffer.from(JSON.stringify([toSignature(order), ...values])).toString("base64url");
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, "base64url").toString());
  } catch {
    return undefined;
  }
}

function isKeyValue(value: unknown): value is string | null {
  return value === null || (typeof value === "string" && !value.includes("\0"));
}

/** @throws AppError invalid_query where the text is no cursor, or one of another list, sort or language. */
export function decodeCursor(order: ListOrder, text: string): KeyValues {
  const content = parseJson(text);
  const [signature, ...values] = Array.isArray(content) ? content : [];
  const isOurs =
    signature === toSignature(order) &&
    values.length === order.keys.length &&
    values.every(isKeyValue) &&
    values.every((value, index) => value !== null || order.keys[index]?.mayBeNull);
  if (!isOurs) throw invalidCursor();
  return values;
}

export function invalidCursor(): AppError {
  return new AppError("invalid_query", { vars: { parameter: "cursor" } });
}
