import type { FieldDeclaration, Labels } from "../declare.ts";

/**
 * What the site knows of itself and a page of text can say: `{audit_retention}` in the text is drawn as "24 months", from the
 * settings that hold. The product's own privacy notice says nothing of the kind in any other way.
 */
export const PAGE_FACTS = {
  audit_retention: { en: "entries of the log", tr: "günlük kayıtları" },
  session_lifetime: { en: "a log-in without a visit", tr: "uğranmadan geçen oturum" },
  session_records: { en: "a log-in after its end", tr: "biten oturumun kaydı" },
  device_cookie: { en: "the cookie of a known browser", tr: "tanınan tarayıcının çerezi" },
  code_lifetime: { en: "a code by mail", tr: "e-postayla gelen kod" },
  code_records: { en: "the note of a code", tr: "kodun kaydı" },
  unproven_accounts: { en: "an account without a confirmed address", tr: "adresi doğrulanmamış hesap" },
  mail_log: { en: "which mail went where", tr: "hangi e-postanın nereye gittiği" },
  mail_reports: { en: "reports of mail servers", tr: "e-posta sunucularının bildirimleri" },
  export_records: { en: "the note of an export by staff", tr: "yöneticilerin dışa aktarma kaydı" },
  job_records: { en: "the note of bulk work by staff", tr: "yöneticilerin toplu işlem kaydı" },
  health_records: { en: "figures of the health page", tr: "sağlık sayfasının ölçümleri" },
  voice_lines: { en: "lines kept of a voice room", tr: "sesli odada tutulan satır" },
  voice_reports: { en: "reports from voice rooms", tr: "sesli odalardan bildirimler" },
} as const satisfies Record<string, Labels>;

export type PageFact = keyof typeof PAGE_FACTS;

/** Of the field that takes them. */
export const PAGE_FACTS_FIELD: Pick<FieldDeclaration, "help" | "placeholders"> = {
  help: {
    en: "The privacy notice says how long things are kept by names such as {audit_retention}.",
    tr: "Gizlilik bildirimi, saklama sürelerini {audit_retention} gibi adlarla söyler.",
  },
  placeholders: Object.entries(PAGE_FACTS).map(([name, labels]) => ({ value: `{${name}}`, labels })),
};
