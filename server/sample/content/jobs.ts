import type { experienceTable } from "#server/models/declared/experience.ts";

/** Jobs, the newest first. The companies are invented. */
export const JOBS: readonly (typeof experienceTable.$inferInsert)[] = [
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
