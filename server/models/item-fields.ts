import type { FieldDeclaration } from "./declare.ts";

/** Place of an item on the page. */
const POSITION_FIELD = {
  kind: "order",
  labels: { en: "Position", tr: "Sıra" },
  help: { en: "Place on the page. Empty: at the end.", tr: "Sayfadaki yeri. Boşsa en sona eklenir." },
  required: false,
} satisfies FieldDeclaration;

/** Whether the public site leaves an item out: its page, `/api/cv/` and `/cv.json` alike. */
const HIDDEN_FIELD = {
  kind: "boolean",
  labels: { en: "Hidden", tr: "Gizli" },
  help: {
    en: "Not shown on the site; kept here. Who knows the address of its file can still open that.",
    tr: "Sitede gösterilmez, burada saklanır. Dosyasının adresini bilen dosyayı yine açabilir.",
  },
} satisfies FieldDeclaration;

/** What an imported JSON Resume item said beyond the model's fields. */
export const EXTRA_FIELD = {
  kind: "json",
  labels: { en: "More JSON Resume data", tr: "Diğer JSON Resume verileri" },
  help: {
    en: "Keys of an imported résumé that have no field here. They are given back by /cv.json.",
    tr: "İçe aktarılan özgeçmişin burada alanı olmayan anahtarları. /cv.json bunları geri verir.",
  },
} satisfies FieldDeclaration;

/** Fields of `itemColumns`. */
export const ITEM_FIELDS = {
  position: POSITION_FIELD,
  is_hidden: HIDDEN_FIELD,
  extra: EXTRA_FIELD,
} satisfies Record<string, FieldDeclaration>;

/** Fields that several models of the CV have, the same in each. A list's input says by itself that an entry is a line. */
export const CV_FIELDS = {
  url: { kind: "url", labels: { en: "Website", tr: "Web sitesi" } },
  start_date: {
    kind: "partial_date",
    labels: { en: "From", tr: "Başlangıç" },
    help: { en: "2019, 2019-03 or 2019-03-01.", tr: "2019, 2019-03 veya 2019-03-01." },
  },
  end_date: {
    kind: "partial_date",
    labels: { en: "To", tr: "Bitiş" },
    help: { en: "Empty while it goes on.", tr: "Sürüyorsa boş bırakın." },
  },
  description: {
    kind: "localized_long_text",
    labels: { en: "Description", tr: "Açıklama" },
    maxLength: 5000,
  },
  highlights: {
    kind: "localized_list",
    labels: { en: "Highlights", tr: "Öne çıkanlar" },
    help: { en: "What you achieved.", tr: "Neler başardığınız." },
    maxLength: 1000,
  },
  keywords: {
    kind: "localized_list",
    labels: { en: "Keywords", tr: "Anahtar sözcükler" },
    maxLength: 300,
  },
} satisfies Record<string, FieldDeclaration>;
