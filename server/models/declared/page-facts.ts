import type { FieldDeclaration, Labels } from "../declare.ts";

/**
 * What the site knows of itself and a page of text can say: `{audit_retention}` in the text is drawn as "24 months", from the
 * settings that hold. The product's own privacy notice says nothing of the kind in any other way.
 */
export const PAGE_FACTS = {
  audit_retention: { en: "entries of the log", tr: "günlük kayıtları" },
  session_lifetime: { en: "a session from its log-in on", tr: "girişten başlayarak bir oturum" },
  session_records: { en: "a log-in after its end", tr: "biten oturumun kaydı" },
  device_cookie: { en: "the cookie of a known browser", tr: "tanınan tarayıcının çerezi" },
  file_cookie: { en: "the cookie that opens files", tr: "dosyaları açan çerez" },
  code_lifetime: { en: "a code by mail", tr: "e-postayla gelen kod" },
  code_records: { en: "the note of a code", tr: "kodun kaydı" },
  unproven_accounts: { en: "an account without a confirmed address", tr: "adresi doğrulanmamış hesap" },
  mail_log: { en: "which mail went where", tr: "hangi e-postanın nereye gittiği" },
  mail_reports: { en: "reports of mail servers", tr: "e-posta sunucularının bildirimleri" },
  export_records: { en: "the note of an export by staff", tr: "yöneticilerin dışa aktarma kaydı" },
  job_records: { en: "the note of bulk work by staff", tr: "yöneticilerin toplu işlem kaydı" },
  health_records: { en: "figures of the health page", tr: "“Sistem durumu” sayfasının ölçümleri" },
  voice_lines: { en: "lines kept of a voice room", tr: "sesli odada tutulan satır" },
  voice_reports: { en: "reports from voice rooms", tr: "sesli odalardan bildirimler" },
  reading_log: { en: "what is noted of who only reads", tr: "yalnızca okuyan için tutulan kayıt" },
  technical_log: { en: "what the technical log holds", tr: "teknik günlükte bulunanlar" },
} as const satisfies Record<string, Labels>;

export type PageFact = keyof typeof PAGE_FACTS;

/** How much the process writes down by its settings: each request, or failed log-ins, or neither. */
export type LogScope = "requests" | "log-ins" | "faults";

const NOTHING: Labels = { en: "Nothing is recorded about you.", tr: "Hakkınızda hiçbir kayıt tutulmaz." };

/** The facts that are words. */
export const LOG_FACTS: Readonly<Record<LogScope, Record<"reading_log" | "technical_log", Labels>>> = {
  requests: {
    reading_log: {
      en: "Each request is noted in the technical log: its time, the page, how it was answered, and your network address.",
      tr: "Her istek teknik günlüğe yazılır: zamanı, sayfa, nasıl yanıtlandığı ve ağ adresiniz.",
    },
    technical_log: {
      en: "requests, faults and warnings, and failed log-ins with the network address that they came from",
      tr: "istekler, hatalar ve uyarılar ile başarısız girişler, geldikleri ağ adresiyle birlikte",
    },
  },
  "log-ins": {
    reading_log: NOTHING,
    technical_log: {
      en: "faults and warnings, and failed log-ins with the network address that they came from",
      tr: "hatalar ve uyarılar ile başarısız girişler, geldikleri ağ adresiyle birlikte",
    },
  },
  faults: { reading_log: NOTHING, technical_log: { en: "faults alone", tr: "yalnızca hatalar" } },
};

/** Of the field that takes them. */
export const PAGE_FACTS_FIELD: Pick<FieldDeclaration, "help" | "placeholders"> = {
  help: {
    en: "The privacy notice says how long things are kept by names such as {audit_retention}.",
    tr: "Gizlilik bildirimi, saklama sürelerini {audit_retention} gibi adlarla söyler.",
  },
  placeholders: Object.entries(PAGE_FACTS).map(([name, labels]) => ({ value: `{${name}}`, labels })),
};
