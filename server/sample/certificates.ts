import type { LocalizedText } from "#contract/languages.ts";
import type { certificateTable } from "#server/models/declared/certificate.ts";

const DATABASE_GUILD = {
  en: "Guild of Patient Database Keepers",
  tr: "Sabırlı Veritabanı Bekçileri Loncası",
};
const DUCK_ACADEMY = { en: "Academy of Rubber Ducks", tr: "Lastik Ördekler Akademisi" };
const IDEMPOTENT_BUREAU = { en: "Bureau of Idempotent Affairs", tr: "Yinelense de Aynı Kalan İşler Dairesi" };
const CRON_SOCIETY = {
  en: "Society for the Kind Treatment of Cron Jobs",
  tr: "Cron Görevlerini Koruma ve Kollama Derneği",
};
const QUERY_INSTITUTE = { en: "Institute of Slow Queries", tr: "Yavaş Sorgular Enstitüsü" };
const SEMICOLON_CHAMBER = { en: "Nullhaven Chamber of Semicolons", tr: "Hiçliman Noktalı Virgül Odası" };
const NIGHT_WATCH = { en: "Night Watch of Nullhaven", tr: "Hiçliman Gece Nöbetçileri" };
const CLOCK_OBSERVATORY = { en: "Observatory of Wrong Clocks", tr: "Yanlış Saatler Gözlemevi" };
const PAPER_BRIDGES = { en: "Paper Bridge Works", tr: "Kâğıt Köprü İşleri" };

function certify(issuedOn: string, file: string, issuer: LocalizedText, label: LocalizedText) {
  return { issued_on: issuedOn, file, issuer, label };
}

/** Certificates, the newest first, each with its file of `server/sample/files`. The issuers are invented. */
export const CERTIFICATES: readonly (typeof certificateTable.$inferInsert)[] = [
  certify("2024-11", "keeper-of-indexes.pdf", DATABASE_GUILD, {
    en: "Certified Keeper of Indexes",
    tr: "Belgeli Dizin Bekçisi",
  }),
  certify("2024-05", "rubber-duck-debugging.png", DUCK_ACADEMY, {
    en: "Rubber Duck Debugging, Master Class",
    tr: "Lastik Ördekle Hata Ayıklama, Ustalık Sınıfı",
  }),
  certify("2023-10", "exactly-once.pdf", IDEMPOTENT_BUREAU, {
    en: "Exactly-Once Delivery (attended twice)",
    tr: "Tam Bir Kez Teslim (iki kez katıldı)",
  }),
  certify("2023-03", "cron-jobs.jpg", CRON_SOCIETY, {
    en: "Humane Scheduling of Cron Jobs",
    tr: "Cron Görevlerine İnsanca Zaman Tanıma",
  }),
  certify("2022-12", "query-whisperer.pdf", QUERY_INSTITUTE, {
    en: "Advanced Query Whispering",
    tr: "İleri Düzey Sorgu Fısıldayıcılığı",
  }),
  certify("2022-06", "semicolons.svg", SEMICOLON_CHAMBER, {
    en: "Semicolon Placement, Grade Eight",
    tr: "Noktalı Virgül Yerleştirme, Sekizinci Derece",
  }),
  certify("2021-09", "on-call.jpg", NIGHT_WATCH, {
    en: "On Call Without Tears",
    tr: "Gözyaşsız Nöbet",
  }),
  certify("2021-02", "vacuuming.pdf", DATABASE_GUILD, {
    en: "VACUUM for Professionals",
    tr: "Profesyoneller İçin VACUUM",
  }),
  certify("2020-10", "ending-meetings.jpg", IDEMPOTENT_BUREAU, {
    en: "Graceful Shutdown of Meetings",
    tr: "Toplantıları Zarafetle Kapatma",
  }),
  certify("2020-03", "time-zones.pdf", CLOCK_OBSERVATORY, {
    en: "Time Zones: Survivor’s Diploma",
    tr: "Saat Dilimleri: Sağ Çıkanlar Diploması",
  }),
  certify("2019", "naming-things.png", DUCK_ACADEMY, {
    en: "Naming Things and Other Hard Problems",
    tr: "Ad Koyma ve Başka Zor İşler",
  }),
  certify("2018-11", "regular-expressions.svg", SEMICOLON_CHAMBER, {
    en: "Regular Expressions, Reading Knowledge",
    tr: "Düzenli İfadeler, Okuduğunu Anlama",
  }),
  certify("2018-04", "moving-furniture.pdf", CRON_SOCIETY, {
    en: "Moving Furniture Without Downtime",
    tr: "Kesintisiz Mobilya Taşıma",
  }),
  certify("2017", "paper-bridges.png", PAPER_BRIDGES, {
    en: "Load Testing of Paper Bridges",
    tr: "Kâğıt Köprülerde Yük Testi",
  }),
  certify("2016", "typing-in-the-dark.png", NIGHT_WATCH, {
    en: "Touch Typing in the Dark",
    tr: "Karanlıkta On Parmak Yazma",
  }),
];
