import { readFileSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";
import type { PageData, PageRequest } from "#contract/site/pages.ts";
import { SITE_INFO } from "#test/site-info.ts";
import { buildHead } from "./build-head.ts";
import { getMeta, getText, ORIGIN, parseHead, toCvRequest, toRequest } from "./test-request.ts";

describe("build head", () => {
  type Screen = PageData["screen"];
  const WITH_ADDRESS: Screen[] = ["cv", "contact", "dev", "text"];
  const WITHOUT_ADDRESS: Screen[] = [
    "login",
    "register",
    "waiting",
    "verify-email",
    "forgot-password",
    "setup",
    "unsubscribe",
    "profile",
    "rooms",
    "room",
    "not-found",
  ];

  const CONTACT_EN =
    "A form for messages about work, projects and questions, with an email address and profiles. Replies usually come within 24 hours.";
  const CONTACT_TR =
    "İş, proje ve sorularınız için iletişim formu, e-posta adresi ve profil bağlantıları. Yanıtlar genellikle 24 saat içinde gelir.";

  describe("the title and the description", () => {
    test.each([
      ["Give me a week.", "… profiles. Give me a week."],
      ["", "… profiles."],
    ])("of the contact page promise what the owner promises (%j)", (reply, end) => {
      const head = parseHead(toRequest("contact", { site: { ...SITE_INFO, words: { reply } } }));
      expect(getMeta(head, "description")?.replace(/^.*(?= profiles)/, "…")).toBe(end);
    });

    test.each<[Screen, "en" | "tr", string, string | undefined]>([
      ["cv", "en", "Ada – Engineer", "Small tools – Ten years of back ends."],
      ["contact", "en", "Contact – Ada", CONTACT_EN],
      ["contact", "tr", "İletişim – Ada", CONTACT_TR],
      [
        "dev",
        "en",
        "Developer hub – Ada",
        "Projects: what they are, what they are made with, and where to find them.",
      ],
      [
        "dev",
        "tr",
        "Geliştirici merkezi – Ada",
        "Projeler: ne oldukları, nelerle yapıldıkları ve nerede bulundukları.",
      ],
      ["text", "en", "Terms – Ada", "Be kind & fair. Always."],
      ["login", "en", "Log in – Ada", "Log in to your account on this site."],
      ["profile", "tr", "Profil – Ada", undefined],
      ["rooms", "tr", "Sesli odalar – Ada", undefined],
      ["room", "en", "Voice Chat – Ada", undefined],
      [
        "not-found",
        "tr",
        "Sayfa bulunamadı – Ada",
        expect.stringContaining("Bu adreste bir sayfa yok.") as never,
      ],
    ])("of %s in %s are %j and %j", (screen, lang, title, description) => {
      const head = parseHead(toRequest(screen, { lang }));
      expect(head.querySelector("title")?.textContent).toBe(title);
      expect(getMeta(head, "description")).toEqual(description);
    });

    test("of a site without an author name the screen alone", () => {
      const head = parseHead(toRequest("contact", { site: { ...SITE_INFO, author: "" } }));
      expect(head.querySelector("title")?.textContent).toBe("Contact");
      expect(getMeta(head, "og:site_name")).toBeUndefined();
    });

    test("are cut at a word and stay one line", () => {
      const head = parseHead(toCvRequest({ tagline: "", description: "word \n".repeat(100) }));
      expect(getMeta(head, "description")).toMatch(/^(word )+word…$/);
      expect(getMeta(head, "description")?.length).toBeLessThanOrEqual(161);
    });
  });

  describe("addresses", () => {
    const cases = WITH_ADDRESS.flatMap((screen) =>
      (["", "/en", "/tr"] as const).map((prefix) => [screen, prefix] as const),
    );
    test.each(cases)(
      "%s under %j is its own canonical page and names all its languages",
      (screen, prefix) => {
        const request = toRequest(screen, { prefix });
        const head = parseHead(request);
        const address = `${ORIGIN}${prefix}${request.path}`;
        expect(head.querySelector("link[rel=canonical]")?.getAttribute("href")).toBe(address);
        expect(getMeta(head, "og:url")).toBe(address);
        const alternates = [...head.querySelectorAll("link[rel=alternate]")].map((link) => [
          link.getAttribute("hreflang"),
          link.getAttribute("href"),
        ]);
        expect(alternates).toEqual([
          ["en", `${ORIGIN}/en${request.path}`],
          ["tr", `${ORIGIN}/tr${request.path}`],
          ["x-default", `${ORIGIN}${request.path}`],
        ]);
      },
    );

    test.each(WITHOUT_ADDRESS)("%s claims none", (screen) => {
      const head = parseHead(toRequest(screen));
      expect(head.querySelectorAll("link")).toHaveLength(0);
      expect(getMeta(head, "og:url")).toBeUndefined();
    });
  });

  describe("search engines", () => {
    const isSample = { site: { ...SITE_INFO, has_sample: true } };
    const cases: [string, boolean, PageRequest][] = [
      ["an empty CV", false, toCvRequest({ name: "" })],
      ["a CV with a sample item", false, toCvRequest({ has_sample: true })],
    ];
    for (const screen of WITH_ADDRESS) {
      cases.push([screen, true, toRequest(screen)]);
      cases.push([`${screen} with sample content`, false, toRequest(screen, isSample)]);
    }
    for (const screen of WITHOUT_ADDRESS) cases.push([screen, false, toRequest(screen)]);

    test.each(cases)("%s: invited %j", (_name, isInvited, request) => {
      const head = parseHead(request);
      expect(getMeta(head, "robots")).toBe(isInvited ? undefined : "noindex");
      expect(head.querySelectorAll("script")).toHaveLength(isInvited && request.data.screen === "cv" ? 1 : 0);
    });
  });

  describe("link previews", () => {
    test.each<[Screen, "en" | "tr", Record<string, string>]>([
      ["cv", "en", { "og:type": "profile", "og:locale": "en_US", "og:locale:alternate": "tr_TR" }],
      ["cv", "tr", { "og:type": "profile", "og:locale": "tr_TR", "og:locale:alternate": "en_US" }],
      ["contact", "en", { "og:type": "website", "og:title": "Contact – Ada", "og:description": CONTACT_EN }],
      ["contact", "tr", { "twitter:title": "İletişim – Ada", "twitter:description": CONTACT_TR }],
      ["not-found", "en", { "og:type": "website", "og:title": "Page not found – Ada" }],
    ])("of %s in %s say %j", (screen, lang, tags) => {
      const head = parseHead(toRequest(screen, { lang }));
      for (const [name, content] of Object.entries(tags)) expect(getMeta(head, name)).toBe(content);
      expect(getMeta(head, "og:site_name")).toBe("Ada");
    });

    test("show the site's picture with its size, type and words", () => {
      const head = parseHead(toRequest("dev"));
      const address = `${ORIGIN}/preview/en.jpg?v=1`;
      const tags = {
        "og:image": address,
        "og:image:type": "image/jpeg",
        "og:image:width": "1200",
        "og:image:height": "630",
        "og:image:alt": "Developer hub – Ada",
        "twitter:card": "summary_large_image",
        "twitter:image": address,
        "twitter:image:alt": "Developer hub – Ada",
      };
      for (const [name, content] of Object.entries(tags)) expect(getMeta(head, name)).toBe(content);
    });

    test("without a picture are small and promise none", () => {
      const head = parseHead(toRequest("cv", { site: { ...SITE_INFO, preview: null } }));
      expect(getMeta(head, "twitter:card")).toBe("summary");
      expect(head.innerHTML).not.toContain("image:");
    });
  });

  test("what the owner wrote is text, wherever it stands", () => {
    const hostile = `</title></script><script>alert(1)</script><img src=x onerror=alert(1)>"'&$&\u2028`;
    const request = toCvRequest(
      { name: hostile, title: hostile, tagline: hostile },
      { site: { ...SITE_INFO, author: hostile } },
    );
    const html = buildHead(request, getText("en"));
    const head = parseHead(request);
    expect(head.querySelectorAll("img")).toHaveLength(0);
    expect([...head.querySelectorAll("script")].map((script) => script.type)).toEqual([
      "application/ld+json",
    ]);
    expect(head.querySelector("title")?.textContent).toBe(`${hostile} – ${hostile}`);
    expect(getMeta(head, "og:site_name")).toBe(hostile);
    expect(/<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html)?.[1]).not.toMatch(/[<\u2028]/);
  });

  test("the browser's frame has the colour of the page in both themes", () => {
    const paper = /--paper: light-dark\((#\w{6}), (#\w{6})\)/.exec(readFileSync("src/ui/tokens.css", "utf8"));
    const template = new DOMParser().parseFromString(readFileSync("index.html", "utf8"), "text/html");
    const colors = [...template.querySelectorAll('meta[name="theme-color"]')].map((meta) => [
      meta.getAttribute("media"),
      meta.getAttribute("content"),
    ]);
    expect(colors).toEqual([
      ["(prefers-color-scheme: light)", paper?.[1]],
      ["(prefers-color-scheme: dark)", paper?.[2]],
    ]);
  });
});

describe("profile record", () => {
  type Thing = { "@type": string } & Record<string, unknown>;

  /**
   * Properties that schema.org 30 defines for these types, their parents' included, of which the record may use.
   * EducationalOccupationalCredential is a CreativeWork: it has `dateCreated`, and no `validFrom`.
   */
  const VOCABULARY: Readonly<Record<string, readonly string[]>> = {
    ProfilePage: ["url", "inLanguage", "mainEntity", "dateModified"],
    Person: [
      ...["name", "jobTitle", "description", "image", "email", "url", "address", "sameAs"],
      ...["worksFor", "alumniOf", "knowsAbout", "hasCredential"],
    ],
    PostalAddress: ["addressLocality", "addressRegion"],
    Organization: ["name", "url"],
    EducationalOrganization: ["name", "url"],
    EducationalOccupationalCredential: ["name", "recognizedBy", "dateCreated", "url"],
  };

  function isThing(value: unknown): value is Thing {
    return typeof value === "object" && value !== null && "@type" in value;
  }

  /** Names of properties that schema.org doesn't define where they stand. */
  function findUnknown(thing: Thing): string[] {
    const known = VOCABULARY[thing["@type"]] ?? [];
    return Object.entries(thing).flatMap(([name, value]) => {
      const things = (Array.isArray(value) ? value : [value]).filter(isThing);
      const isKnown = name.startsWith("@") || known.includes(name);
      return [...(isKnown ? [] : [`${thing["@type"]}.${name}`]), ...things.flatMap(findUnknown)];
    });
  }

  function readRecord(request = toRequest("cv")) {
    const text = parseHead(request).querySelector("script")?.textContent;
    return JSON.parse(text ?? "null") as Thing & { mainEntity: Thing };
  }

  test("the record of the CV is a profile page about a person", () => {
    expect(readRecord(toRequest("cv", { prefix: "/tr", lang: "tr" }))).toEqual({
      "@context": "https://schema.org",
      "@type": "ProfilePage",
      url: `${ORIGIN}/tr/cv`,
      inLanguage: "tr",
      mainEntity: {
        "@type": "Person",
        "@id": `${ORIGIN}/cv#person`,
        name: "Ada",
        jobTitle: "Engineer",
        description: "Small tools",
        image: `${ORIGIN}/files/ada.jpg`,
        email: "ada@foyer.example",
        url: `${ORIGIN}/cv`,
        address: { "@type": "PostalAddress", addressLocality: "Çankaya", addressRegion: "Ankara" },
        sameAs: ["https://ada.example/", "https://github.com/ada", "https://www.linkedin.com/in/ada"],
        worksFor: [{ "@type": "Organization", name: "Çınar", url: "https://cinar.example/" }],
        alumniOf: [{ "@type": "EducationalOrganization", name: "ODTÜ" }],
        knowsAbout: ["PostgreSQL"],
        hasCredential: [
          {
            "@type": "EducationalOccupationalCredential",
            name: "Kubernetes",
            recognizedBy: { "@type": "Organization", name: "CNCF" },
            dateCreated: "2023-05",
          },
          { "@type": "EducationalOccupationalCredential", name: "SQL", url: `${ORIGIN}/files/sql.pdf` },
        ],
      },
    });
  });

  test("it uses no property that schema.org does not define", () => {
    expect(findUnknown(readRecord())).toEqual([]);
  });

  test("a part without content is left out, and so is an address that is none", () => {
    const record = readRecord(
      toCvRequest(
        {
          title: "",
          tagline: "",
          description: "",
          photo: null,
          email: null,
          website: "ada.example",
          address: {
            province: "",
            district: "",
            street: null,
            postal_code: null,
            country: null,
            country_code: null,
          },
          links: [{ network: "Skype", url: "skype:ada", username: null }],
          confidences: [],
          experience: [],
          education: [],
          certificates: [],
        },
        { site: { ...SITE_INFO, github: null, linkedin: null } },
      ),
    );
    expect(Object.keys(record.mainEntity)).toEqual(["@type", "@id", "name", "url"]);
  });

  test("says the properties that sections name, by what their rows are called", () => {
    const fields = {
      titles: ["role", "name"],
      start: null,
      end: null,
      url: "url",
      line: [],
      words: [],
      texts: [],
      lists: [],
      images: [],
      facts: [],
    };
    const toSection = (person: string | null, ...items: Record<string, string>[]) => ({
      name: "any",
      heading: "Any",
      list: null,
      person,
      fields,
      items: items.map((values, id) => ({
        id,
        values: Object.entries(values).map(([name, text]) => ({ name, texts: [text] })),
      })),
    });
    const record = readRecord(
      toCvRequest({
        sections: [
          toSection("award", { name: "Quietest pager" }, { name: "Best index" }),
          toSection("knowsLanguage", { name: "Turkish" }),
          toSection("memberOf", { role: "Mentor", name: "Code Club", url: "https://club.test/" }),
          toSection(null, { name: "Secret" }),
        ],
      }),
    );
    expect(record.mainEntity).toMatchObject({
      award: ["Quietest pager", "Best index"],
      knowsLanguage: [{ "@type": "Language", name: "Turkish" }],
      memberOf: [{ "@type": "Organization", name: "Code Club", url: "https://club.test/" }],
    });
    expect(JSON.stringify(record)).not.toMatch(/Secret|Mentor/);
  });

  test("says the whole address", () => {
    const address = { province: "Ankara", district: "Çankaya", street: "Street 1", postal_code: "06690" };
    const record = readRecord(
      toCvRequest({ address: { ...address, country: "Türkiye", country_code: "TR" } }),
    );
    expect(record.mainEntity.address).toEqual({
      "@type": "PostalAddress",
      streetAddress: "Street 1",
      postalCode: "06690",
      addressLocality: "Çankaya",
      addressRegion: "Ankara",
      addressCountry: "TR",
    });
  });
});
