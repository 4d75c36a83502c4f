import type { educationTable } from "#server/models/declared/education.ts";

/** Schools, the newest first. They are invented. */
export const SCHOOLS: readonly (typeof educationTable.$inferInsert)[] = [
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
