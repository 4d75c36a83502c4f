import type { profileTable } from "#server/models/declared/profile.ts";

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
