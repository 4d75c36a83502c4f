import * as z from "zod/mini";
import { LANGUAGES } from "./languages.ts";

// Apart from languages.ts, which every public page loads: these bring Zod.
export const language = z.enum(LANGUAGES);
export const localizedText = z.object({ en: z.nullable(z.string()), tr: z.nullable(z.string()) });
