import * as z from "zod/mini";
import { language } from "../values.ts";

/** Texts that a new page can begin with. */
export const PAGE_STARTS = ["impressum", "about", "now"] as const;

/** `POST /api/admin/pages/starts/`: makes a hidden page of one of them. */
export const pageStart = z.object({ start: z.enum(PAGE_STARTS) });
export const startedPage = z.object({ content_type_id: z.number(), id: z.number(), slug: z.string() });

const draftSides = (maxChars: number) => {
  const side = z.nullable(z.string().check(z.maxLength(maxChars)));
  return z.object({ en: side, tr: side });
};

/** `POST /api/admin/pages/preview/`: what is typed of a page of text, and how to show it. */
export const pageDraft = z.object({
  lang: language,
  theme: z.enum(["light", "dark"]),
  title: draftSides(200),
  body: draftSides(50_000),
});
export type PageDraft = z.infer<typeof pageDraft>;
