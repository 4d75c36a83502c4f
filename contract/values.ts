import * as z from "zod/mini";
import { LANGUAGES } from "./languages.ts";

// Apart from languages.ts, which every public page loads: these bring Zod.
export const language = z.enum(LANGUAGES);
export const localizedText = z.object({ en: z.nullable(z.string()), tr: z.nullable(z.string()) });

/** What PostgreSQL can keep as text: no NUL, no half of a surrogate pair. */
const STORABLE = /^[^\0\p{Cs}]*$/u;

export const isStorable = (text: string) => STORABLE.test(text);
/** For the checks of a text. */
export const storable = z.regex(STORABLE);

const ID_MAX = 2_147_483_647;
/** The number of a row, as far as there can be one. */
export const rowId = z.number().check(z.int(), z.minimum(1), z.maximum(ID_MAX));
