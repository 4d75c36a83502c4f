import type { PDFDocument } from "@napi-rs/canvas";
import type { Language } from "#contract/languages.ts";

/** A sheet is drawn in these units, whatever file it becomes: A4 on its side. */
export const SHEET_WIDTH = 1000;
export const SHEET_HEIGHT = 707;

/** What pictures and pages of a PDF are both drawn with. */
export type Pen = ReturnType<PDFDocument["beginPage"]>;

/** What stands on a certificate. */
export interface Sheet {
  lang: Language;
  holder: string;
  title: string;
  issuer: string;
  /** A month or a year in words. */
  date: string;
  /** Runs around the seal. */
  motto: string;
  /** Who signed, by office. */
  signer: string;
}

/** Colours of a sheet, as CSS writes them. */
export interface Palette {
  paper: string;
  ink: string;
  quiet: string;
  accent: string;
  /** Frames, seals and ornaments. */
  metal: string;
}

export type Design = (pen: Pen, sheet: Sheet, palette: Palette) => void;

/** Words that every certificate has. */
export const WORDS: Record<Language, Record<"heading" | "before" | "after" | "notice", string>> = {
  en: {
    heading: "Certificate",
    before: "This is to certify that",
    after: "has completed with distinction",
    notice: "Sample content: this certificate and its issuer are invented",
  },
  tr: {
    heading: "Sertifika",
    before: "Bu belge, adı aşağıda yazılı kişinin",
    after: "eğitimini üstün başarıyla tamamladığını gösterir",
    notice: "Örnek içerik: bu belge de belgeyi veren kurum da uydurmadır",
  },
};
