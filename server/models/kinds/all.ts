import type { FieldKind } from "../model.ts";
import { boolean } from "./boolean.ts";
import { dateTime } from "./date-time.ts";
import { email } from "./email.ts";
import { file } from "./file.ts";
import { integer } from "./integer.ts";
import { json } from "./json.ts";
import { localizedList } from "./localized-list.ts";
import { localizedLongText } from "./localized-long-text.ts";
import { localizedText } from "./localized-text.ts";
import { longText } from "./long-text.ts";
import { order } from "./order.ts";
import { partialDate } from "./partial-date.ts";
import { relation } from "./relation.ts";
import { text } from "./text.ts";
import { url } from "./url.ts";

/** Every kind by the name that declarations use. */
export const KINDS: Readonly<Record<string, FieldKind>> = Object.fromEntries(
  [
    boolean,
    dateTime,
    email,
    file,
    integer,
    json,
    localizedList,
    localizedLongText,
    localizedText,
    longText,
    order,
    partialDate,
    relation,
    text,
    url,
  ].map((kind) => [kind.name, kind]),
);
