import type { awardTable } from "#server/models/declared/award.ts";
import type { interestTable } from "#server/models/declared/interest.ts";
import type { languageTable } from "#server/models/declared/language.ts";
import type { projectTable } from "#server/models/declared/project.ts";
import type { publicationTable } from "#server/models/declared/publication.ts";
import type { referenceTable } from "#server/models/declared/reference.ts";
import type { volunteerTable } from "#server/models/declared/volunteer.ts";

export const PROJECTS: readonly (typeof projectTable.$inferInsert)[] = [
  {
    name: { en: "Slowpoke", tr: "Sümüklüböcek" },
    type: { en: "Open source", tr: "Açık kaynak" },
    url: "https://slowpoke.example.org",
    start_date: "2019",
    end_date: null,
    description: {
      en: "A proxy that makes fast services slow, so that tests meet the network as it is.",
      tr: "Hızlı hizmetleri yavaşlatan bir vekil sunucu: Testler ağı olduğu gibi görsün diye.",
    },
    keywords: { en: ["Rust", "Tests"], tr: ["Rust", "Testler"] },
  },
];

export const VOLUNTEERING: readonly (typeof volunteerTable.$inferInsert)[] = [
  {
    role: { en: "Mentor", tr: "Gönüllü eğitmen" },
    organization: { en: "Saturday Code Kitchen", tr: "Cumartesi Kod Mutfağı" },
    start_date: "2017",
    end_date: null,
  },
];

export const AWARDS: readonly (typeof awardTable.$inferInsert)[] = [
  {
    title: { en: "Quietest Pager of the Year", tr: "Yılın En Sessiz Nöbeti" },
    awarder: { en: "Guild of Light Sleepers", tr: "Uykusu Hafif Olanlar Loncası" },
    awarded_on: "2022",
  },
];

export const PUBLICATIONS: readonly (typeof publicationTable.$inferInsert)[] = [
  {
    name: { en: "Exactly Once, More or Less", tr: "Aşağı Yukarı Tam Bir Kez" },
    publisher: { en: "Nullhaven Letters on Queues", tr: "Hiçliman Kuyruk Mektupları" },
    released_on: "2020-05",
  },
];

export const SPOKEN: readonly (typeof languageTable.$inferInsert)[] = [
  { language: { en: "Turkish", tr: "Türkçe" }, fluency: { en: "native", tr: "ana dil" } },
  { language: { en: "English", tr: "İngilizce" }, fluency: { en: "C1", tr: "C1" } },
];

export const INTERESTS: readonly (typeof interestTable.$inferInsert)[] = [
  {
    name: { en: "Lighthouses", tr: "Deniz fenerleri" },
    keywords: { en: ["lenses", "fog signals"], tr: ["mercekler", "sis düdükleri"] },
  },
];

export const REFERENCES: readonly (typeof referenceTable.$inferInsert)[] = [
  {
    name: { en: "The night shift", tr: "Gece vardiyası" },
    reference: { en: "Since she came we have hobbies.", tr: "O geldiğinden beri hobilerimiz var." },
  },
];
