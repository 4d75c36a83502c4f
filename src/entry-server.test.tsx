/** @jest-environment node */
import { existsSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";
import type { Cv } from "#contract/site/cv.ts";
import { type PageRequest, SCREENS, type ScreenName } from "#contract/site/pages.ts";
import { EMPTY_CV } from "#test/empty-cv.ts";
import { SITE_INFO } from "#test/site-info.ts";
import { getScreenModule, render } from "./entry-server.tsx";

const SCREEN_NAMES = Object.keys(SCREENS) as ScreenName[];

const SECTIONS = [
  { name: "skill", heading: "Tools", list: "confidences" },
  { name: "experience", heading: "Experience", list: "experience" },
  { name: "education", heading: "Education", list: "education" },
  { name: "certificate", heading: "Certificates", list: "certificates" },
] as const;

const JOB: Cv["experience"][number] = {
  id: 1,
  role: "Engineer",
  company: "Çınar",
  url: null,
  location: null,
  start_date: "2019",
  end_date: null,
  date: "2019 – present",
  company_description: null,
  description: "First.\n\nSecond.",
  highlights: ["Faster"],
};

function draw(cv: Partial<Cv>, request: Partial<PageRequest> = {}) {
  const lists = { ...EMPTY_CV, ...cv };
  const filled = SECTIONS.filter(({ list }) => lists[list].length > 0);
  const sections = filled.map((section) => ({ ...section, person: null, fields: null, items: [] }));
  const data = { screen: "cv", cv: { ...EMPTY_CV, sections, ...cv } } as const;
  const page = {
    path: "/cv",
    prefix: "",
    lang: "en",
    origin: "https://foyer.example",
    today: "2026-11-20",
  } as const;
  return render({ ...page, site: SITE_INFO, data, ...request });
}

describe("the CV", () => {
  test("draws a part only where there is content", () => {
    const { body } = draw({ name: "Ada", experience: [JOB] });
    expect(body).toContain(">Experience</h2>");
    for (const title of ["Tools", "Education", "Certificates"]) expect(body).not.toContain(`>${title}</h2>`);
    expect(body).not.toContain("hero-photo");
  });

  test.each([
    ["en", "present"],
    ["tr", "halen"],
  ] as const)("in %s says that a job goes on", (lang, word) => {
    const { body } = draw({ name: "Ada", experience: [JOB] }, { lang });
    expect(body.replace(/<[^>]*>/g, "")).toContain(`2019 – ${word}`);
  });

  test("says on the page that has sample content, and on no other, that it does", () => {
    const isMentioned = (body: string) => body.includes('class="sample-note"');
    expect(isMentioned(draw({ name: "Ada", has_sample: true }).body)).toBe(true);
    expect(isMentioned(draw({ name: "Ada" }).body)).toBe(false);
    expect(isMentioned(draw({ name: "Ada" }, { site: { ...SITE_INFO, has_sample: true } }).body)).toBe(true);
  });

  test("makes paragraphs of blank lines and a list of highlights", () => {
    const { body } = draw({ name: "Ada", experience: [JOB] });
    expect(body).toContain('<p class="prose">First.</p><p class="prose">Second.</p>');
    expect(body).toContain("<li>Faster</li>");
  });

  test("links a certificate to its file, else to its address, else to itself", () => {
    const base = { label: "L", issuer: "I", date: null, thumbnails: [] };
    const { body } = draw({
      name: "Ada",
      certificates: [
        { ...base, id: 1, file: "/files/a.pdf", url: "https://example.com/a" },
        { ...base, id: 2, file: null, url: "https://example.com/b" },
        { ...base, id: 3, file: null, url: "javascript:alert(1)" },
      ],
    });
    expect([...body.matchAll(/class="certificate" href="([^"]+)"/g)].map(([, href]) => href)).toEqual([
      "/files/a.pdf",
      "https://example.com/b",
      "#certificate-3",
    ]);
  });

  test("asks for the portrait in the size that the screen needs, before all else", () => {
    const photo_sizes = [192, 384].map((width) => ({ src: `/pictures/a.jpg/${width}.webp`, width }));
    const { body } = draw({ name: "Ada", photo: "/files/a.jpg", photo_sizes });
    const portrait = /<div class="hero-photo"><img ([^>]+)>/.exec(body)?.[1];
    for (const attribute of [
      'src="/files/a.jpg"',
      'srcSet="/pictures/a.jpg/192.webp 192w, /pictures/a.jpg/384.webp 384w"',
      'sizes="',
      'fetchPriority="high"',
      'width="192" height="192"',
    ])
      expect(portrait).toContain(attribute);
  });

  test("searches the map of the site's choice for the place", () => {
    const { body } = draw({
      name: "Ada",
      address: { ...EMPTY_CV.address, province: "Ankara", district: "Çankaya" },
    });
    expect(body).toContain('href="https://maps.test/?q=%C3%87ankaya%2C%20Ankara" target="_blank"');
  });

  test("has no inline style, which the site's Content-Security-Policy would refuse", () => {
    const tool = { id: 1, label: "Git", icon: null, level: null, keywords: [] };
    const certificate = {
      id: 1,
      label: "L",
      issuer: "",
      date: null,
      file: "/files/a.pdf",
      thumbnails: [],
      url: null,
    };
    const { body } = draw({
      name: "Ada",
      photo: "/files/a.jpg",
      experience: [JOB],
      confidences: Array.from({ length: 7 }, (_, id) => ({ ...tool, id })),
      certificates: Array.from({ length: 3 }, (_, id) => ({ ...certificate, id })),
    });
    expect(body).not.toMatch(/\sstyle=/);
  });

  test("without any content says how to fill it", () => {
    const { body, head } = draw({});
    expect(body).toContain("npm run foyer -- import resume.json");
    expect(body).toContain('href="/admin"');
    expect(head).toContain("noindex");
  });

  test("shows the year of the request, not of the clock", () => {
    expect(draw({}, { today: "1999-12-31" }).body).toContain("1999");
  });
});

describe("the head", () => {
  test.each([
    ["", "https://foyer.example/cv"],
    ["/en", "https://foyer.example/en/cv"],
    ["/tr", "https://foyer.example/tr/cv"],
  ] as const)("of %j names its own address as canonical, and all alternates", (prefix, address) => {
    const { head } = draw({ name: "Ada", title: "Engineer" }, { prefix });
    expect(head).toContain("<title>Ada – Engineer</title>");
    expect(head).toContain(`<link rel="canonical" href="${address}">`);
    expect(
      [...head.matchAll(/hreflang="([^"]+)" href="([^"]+)"/g)].map(([, lang, href]) => [lang, href]),
    ).toEqual([
      ["en", "https://foyer.example/en/cv"],
      ["tr", "https://foyer.example/tr/cv"],
      ["x-default", "https://foyer.example/cv"],
    ]);
  });

  test.each(["login", "not-found"] as const)("of %s keeps search engines away", (screen) => {
    const { head } = draw({}, { path: "/login", data: { screen } });
    expect(head).toContain('<meta name="robots" content="noindex">');
    expect(head).not.toContain("canonical");
  });

  test("escapes what the owner wrote", () => {
    const { head } = draw({ name: `</title><script>"'&`, tagline: '"><img src=x>' });
    expect(head).toContain("<title>&lt;/title&gt;&lt;script&gt;&quot;&#39;&amp;</title>");
    expect(head).not.toContain("<img");
  });

  test("cuts a long description at a word", () => {
    const { head } = draw({ name: "Ada", description: "word ".repeat(100) });
    expect(/name="description" content="([^"]+)"/.exec(head)?.[1]).toMatch(/^(word )+word…$/);
  });
});

describe("screens that wait for who looks", () => {
  test.each([
    ["profile", "src/account/profile/profile-page.tsx"],
    ["rooms", "src/voice-screens.tsx"],
    ["room", "src/voice-screens.tsx"],
  ] as const)("%s names the chunks without which it shows nothing", (screen, module) => {
    const { body, modules = [] } = draw({}, { path: `/${screen}`, lang: "tr", data: { screen } });
    expect(body).toContain('aria-busy="true"');
    expect(modules).toEqual(
      expect.arrayContaining(["src/entry-client.tsx", "src/public-texts-tr.ts", module]),
    );
    // As the build's manifest names them.
    for (const file of modules) expect(existsSync(file)).toBe(true);
  });

  test.each(SCREEN_NAMES)("the file of %s is there", (screen) => {
    expect(existsSync(getScreenModule(screen))).toBe(true);
  });

  test("the others name nothing", () => {
    const cv = draw({ name: "Ada" });
    expect(cv).not.toHaveProperty("modules");
  });
});

describe("the state", () => {
  test("is the request, and can't end its script element", () => {
    const name = "</script><!--\u2028\u2029$&";
    const { state } = draw({ name });
    expect(state).not.toMatch(/[<\u2028\u2029]/);
    expect(JSON.parse(state)).toMatchObject({ path: "/cv", data: { cv: { name } } });
  });
});
