import type { ModelDeclaration } from "#server/models/declare.ts";
import { award } from "#server/models/declared/award.ts";
import { certificate } from "#server/models/declared/certificate.ts";
import { education, type educationTable } from "#server/models/declared/education.ts";
import { experience, type experienceTable } from "#server/models/declared/experience.ts";
import { interest } from "#server/models/declared/interest.ts";
import { language } from "#server/models/declared/language.ts";
import { link, type linkTable } from "#server/models/declared/link.ts";
import { profile, type profileTable } from "#server/models/declared/profile.ts";
import { project } from "#server/models/declared/project.ts";
import { publication } from "#server/models/declared/publication.ts";
import { reference } from "#server/models/declared/reference.ts";
import { skill, type skillTable } from "#server/models/declared/skill.ts";
import { volunteer } from "#server/models/declared/volunteer.ts";
import { CERTIFICATES } from "./certificates.ts";
import { AWARDS, INTERESTS, PROJECTS, PUBLICATIONS, REFERENCES, SPOKEN, VOLUNTEERING } from "./further.ts";

/** The sample's person. Nobody has this name, lives at this place, or reads mail at example.org. */
export const PROFILE: typeof profileTable.$inferInsert = {
  name: "Ada Taslakoğlu",
  title: { en: "Distributed Systems Engineer", tr: "Dağıtık Sistemler Mühendisi" },
  tagline: {
    en: "I make slow systems fast and loud pagers quiet.",
    tr: "Yavaş sistemleri hızlandırır, gece çalan telefonları sustururum.",
  },
  description: {
    en: `For more than a decade I have looked after databases, queues, and the people who wait for both. I like systems that a new colleague can explain after a week, migrations that nobody notices, and error graphs that go down and stay there.

I should mention that I do not exist. Every company, school and certificate on this page is invented, so that you can see how yours will look.`,
    tr: `On yılı aşkın süredir veritabanlarına, kuyruklara ve ikisinin de başında bekleyen insanlara bakıyorum. Yeni gelen bir arkadaşın bir haftada anlatabildiği sistemleri, kimsenin fark etmediği geçişleri, bir kez inip bir daha çıkmayan hata grafiklerini severim.

Bir de şu var: Ben aslında yokum. Bu sayfadaki bütün şirketler, okullar ve sertifikalar uydurma; sizin sayfanızın nasıl görüneceğini göstermek için buradayım.`,
  },
  photo: "portrait.jpg",
  email: "ada.taslakoglu@example.org",
  website: "https://ada.example.org",
  district: { en: "Nullhaven", tr: "Hiçliman" },
  province: { en: "Semicolon Coast", tr: "Noktalıvirgül Kıyısı" },
};

/** Jobs, the newest first. The companies are invented. */
const JOBS: readonly (typeof experienceTable.$inferInsert)[] = [
  {
    role: { en: "Principal Engineer", tr: "Başmühendis" },
    company: { en: "The Unhurried Queue Company", tr: "Acelesi Olmayan Kuyruk Şirketi" },
    location: { en: "Nullhaven and remote", tr: "Hiçliman ve uzaktan" },
    start_date: "2021-09",
    end_date: null,
    description: {
      en: "Responsible for the message platform that delivers 40 million birthday wishes a day, most of them on the right day.",
      tr: "Günde 40 milyon doğum günü kutlamasını, çoğunu da doğru günde yerine ulaştıran mesaj altyapısından sorumluyum.",
    },
    highlights: {
      en: [
        "Cut the slowest deliveries from nine minutes to 700\u00a0ms by deleting a retry loop that retried other retry loops.",
        "Moved 11\u00a0TB from one database to another during a working day; two people noticed, one of them was the backup.",
        "Wrote the on-call handbook. Its first page reads “Drink some water”.",
      ],
      tr: [
        "Başka yeniden deneme döngülerini yeniden deneyen bir döngüyü silerek en yavaş teslimatları dokuz dakikadan 700\u00a0ms’ye indirdim.",
        "Mesai saatleri içinde 11\u00a0TB veriyi bir veritabanından ötekine taşıdım; iki kişi fark etti, biri yedekleme sistemiydi.",
        "Nöbet el kitabını yazdım. İlk sayfasında “Önce bir bardak su için” yazıyor.",
      ],
    },
  },
  {
    role: { en: "Site Reliability Engineer", tr: "Site Güvenilirliği Mühendisi" },
    company: { en: "Mostly Cloudy Hosting Works", tr: "Çok Bulutlu Barındırma İşletmesi" },
    location: { en: "Upper Backlog", tr: "Yukarı Birikenler" },
    start_date: "2018-03",
    end_date: "2021-08",
    description: {
      en: "Kept a private cloud above the horizon: 600 machines, three data centres, one very patient team.",
      tr: "600 makine, üç veri merkezi ve çok sabırlı bir ekiple özel bir bulutu ufkun üzerinde tuttum.",
    },
    highlights: {
      en: [
        "Replaced 214 alerts by 9 that mean something. Nights became long enough for dreams.",
        "Made every deployment reversible, then reversed one in front of the whole company to prove it.",
      ],
      tr: [
        "214 alarmın yerine, gerçekten bir anlamı olan 9 alarm koydum. Geceler rüya görülecek kadar uzadı.",
        "Her yayını geri alınabilir kıldım; kanıtlamak için birini bütün şirketin önünde geri aldım.",
      ],
    },
  },
  {
    role: { en: "Back-end Developer", tr: "Sunucu Tarafı Geliştiricisi" },
    company: { en: "Bureau of Lost Socks", tr: "Kayıp Çoraplar Bürosu" },
    location: { en: "Nullhaven", tr: "Hiçliman" },
    start_date: "2015-06",
    end_date: "2018-02",
    description: {
      en: "Built the matching service that reunites single socks across 80 laundrettes, with eventual consistency and the occasional odd pair.",
      tr: "80 çamaşırhanede tek kalmış çorapları eşine kavuşturan eşleştirme hizmetini geliştirdim: nihai tutarlılıkla, arada bir de farklı renkte eşlerle.",
    },
    highlights: {
      en: [
        "Brought a search over 30 million socks from 12\u00a0s to 40\u00a0ms with one index and one apology.",
        "Found the race condition behind the phantom third sock.",
      ],
      tr: [
        "30 milyon çorapta aramayı bir dizin ve bir özürle 12 saniyeden 40\u00a0ms’ye düşürdüm.",
        "Hayalet üçüncü çorabın ardındaki yarış durumunu buldum.",
      ],
    },
  },
  {
    role: { en: "Junior Developer", tr: "Yazılım Geliştirici" },
    company: { en: "Museum of Unread Manuals", tr: "Okunmamış Kılavuzlar Müzesi" },
    location: { en: "Port Placeholder", tr: "Yer Tutucu Limanı" },
    start_date: "2013",
    end_date: "2015",
    description: {
      en: "Digitised 90,000 manuals and taught the catalogue to answer before closing time.",
      tr: "90.000 kılavuzu sayısallaştırdım, kataloğa da kapanış saatinden önce yanıt vermeyi öğrettim.",
    },
    highlights: {
      en: ["Wrote a manual for the catalogue. It is exhibit 90,001."],
      tr: ["Kataloğun kılavuzunu yazdım. Şimdi 90.001 numaralı eser olarak sergileniyor."],
    },
  },
];

/** Schools, the newest first. They are invented. */
const SCHOOLS: readonly (typeof educationTable.$inferInsert)[] = [
  {
    institution: { en: "University of Nullhaven", tr: "Hiçliman Üniversitesi" },
    degree: { en: "Master of Science", tr: "Yüksek Lisans" },
    area: { en: "Distributed Systems", tr: "Dağıtık Sistemler" },
    start_date: "2011",
    end_date: "2013",
  },
  {
    institution: { en: "Institute of Applied Daydreaming", tr: "Uygulamalı Hayal Kurma Enstitüsü" },
    degree: { en: "Bachelor of Science", tr: "Lisans" },
    area: { en: "Computer Engineering", tr: "Bilgisayar Mühendisliği" },
    start_date: "2007",
    end_date: "2011",
  },
];

/** Skills in the order of the page, each with an icon of `server/sample/files`. */
const SKILLS: readonly (typeof skillTable.$inferInsert)[] = [
  {
    label: { en: "TypeScript", tr: "TypeScript" },
    level: { en: "Expert", tr: "Uzman" },
    keywords: { en: ["Node.js"], tr: ["Node.js"] },
    icon: "typescript.svg",
  },
  {
    label: { en: "PostgreSQL", tr: "PostgreSQL" },
    level: { en: "Expert", tr: "Uzman" },
    icon: "postgresql.svg",
  },
  { label: { en: "Linux", tr: "Linux" }, icon: "linux.svg" },
  { label: { en: "Git", tr: "Git" }, icon: "git.svg" },
  { label: { en: "Queues", tr: "Kuyruklar" }, icon: "queues.svg" },
  { label: { en: "Monitoring", tr: "İzleme" }, icon: "monitoring.svg" },
  { label: { en: "Load tests", tr: "Yük testleri" }, icon: "load-tests.svg" },
];

/** The footer finds links by the network's name; the addresses lead to no real account. */
const LINKS: readonly (typeof linkTable.$inferInsert)[] = [
  { network: "GitHub", url: "https://github.example.com/ada-taslakoglu", username: "ada-taslakoglu" },
  { network: "LinkedIn", url: "https://linkedin.example.com/in/ada-taslakoglu", username: "ada-taslakoglu" },
  { network: "Steam", url: "https://steam.example.com/id/adafromnullhaven", username: "adafromnullhaven" },
];

/** Rows of one model as the sample content has them: values by column, a file by its name in `server/sample/files`. */
export interface SampleSet {
  declaration: ModelDeclaration;
  rows: readonly Readonly<Record<string, unknown>>[];
}

function inOrder(rows: readonly Readonly<Record<string, unknown>>[]): SampleSet["rows"] {
  return rows.map((row, index) => ({ ...row, position: index + 1 }));
}

/** The whole sample content. */
export const SAMPLE_CONTENT: readonly SampleSet[] = [
  { declaration: profile, rows: [PROFILE] },
  { declaration: link, rows: inOrder(LINKS) },
  { declaration: experience, rows: inOrder(JOBS) },
  { declaration: education, rows: inOrder(SCHOOLS) },
  { declaration: skill, rows: inOrder(SKILLS) },
  { declaration: certificate, rows: inOrder(CERTIFICATES) },
  { declaration: project, rows: inOrder(PROJECTS) },
  { declaration: volunteer, rows: inOrder(VOLUNTEERING) },
  { declaration: award, rows: inOrder(AWARDS) },
  { declaration: publication, rows: inOrder(PUBLICATIONS) },
  { declaration: language, rows: inOrder(SPOKEN) },
  { declaration: interest, rows: inOrder(INTERESTS) },
  { declaration: reference, rows: inOrder(REFERENCES) },
];
