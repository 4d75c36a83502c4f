import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { act, render, screen, within } from "@testing-library/react";
import { renderToString } from "react-dom/server.edge";
import { MemoryRouter } from "react-router";
import type { Language } from "#contract/languages.ts";
import type { HubProject } from "#contract/site/cv.ts";
import type { HubFeature, RegistrationMode } from "#contract/site/site.ts";
import { createText } from "#providers/text.ts";
import { setUpDrawnUser } from "#test/drawn-user.ts";
import { SITE_INFO } from "#test/site-info.ts";
import { TEXTS, toRequest } from "../../head/test-request.ts";
import { PageContext } from "../../ui/page-context.tsx";
import { toPage } from "../../ui/site-layout.tsx";
import { DevHubPage } from "./dev-hub-page.tsx";
import { filterCards, type HubCard, type HubTextKey, toCards } from "./hub-cards.ts";
import { texts as en } from "./hub-texts-en.ts";
import { texts as tr } from "./hub-texts-tr.ts";

const HUB_TEXTS = { en, tr };

const FOYER: HubProject = {
  id: 1,
  name: "Foyer",
  text: "A site of one's own.",
  url: "https://foyer.example/",
  date: "2024 – present",
  tags: ["TypeScript", "PostgreSQL"],
  pictures: [
    { src: "/pictures/a.png/384.webp", width: 384 },
    { src: "/pictures/a.png/768.webp", width: 768 },
  ],
};
const NOTES: HubProject = {
  id: 2,
  name: "Notes",
  text: "",
  url: "javascript:alert(1)",
  date: null,
  tags: [],
  pictures: [],
};

describe("dev hub page", () => {
  function toHub(
    lang: Language = "en",
    features: HubFeature[] = ["voice-chat"],
    projects: HubProject[] = [],
    registration: RegistrationMode = "open",
  ) {
    const request = toRequest("dev", { lang, site: { ...SITE_INFO, features, registration } });
    return (
      <MemoryRouter>
        <PageContext value={toPage(request, TEXTS[lang])}>
          <DevHubPage hub={{ has_sample: false, projects }} texts={HUB_TEXTS[lang]} />
        </PageContext>
      </MemoryRouter>
    );
  }

  function open(lang?: Language) {
    render(toHub(lang));
    return { user: setUpDrawnUser(), field: screen.getByRole<HTMLInputElement>("searchbox") };
  }

  const findCard = (name = "Voice Chat") => screen.queryByRole("link", { name });

  beforeEach(() => window.history.replaceState(null, "", "/dev"));

  describe("the search", () => {
    test("keeps what has the words, says how many there are, and stands in the address", async () => {
      const { user, field } = open();
      expect(screen.getByRole("status").textContent).toBe("");
      await user.type(field, "AUDIO mon");
      expect(findCard()?.getAttribute("href")).toBe("/rooms");
      expect(screen.getByRole("status").textContent).toBe("1 match");
      expect(window.location.search).toBe("?q=AUDIO+mon");
    });

    test("that finds nothing says so, names what was searched for, and leads back to all", async () => {
      const { user, field } = open();
      await user.type(field, "video");
      expect(findCard()).toBeNull();
      expect(screen.getByRole("status").textContent).toBe("No matches");
      expect(screen.getByText(/“video”/)).toBeDefined();
      await user.click(screen.getByRole("button", { name: "Show all" }));
      expect(findCard()).not.toBeNull();
      expect(field.value).toBe("");
      expect(document.activeElement).toBe(field);
      expect(window.location.search).toBe("");
    });

    test("goes by the letters of Turkish", async () => {
      const { user, field } = open("tr");
      await user.type(field, "KATILIMCI");
      expect(findCard("Sesli Sohbet")).not.toBeNull();
      expect(screen.getByRole("status").textContent).toBe("1 eşleşme");
      await user.clear(field);
      await user.type(field, "yok böyle");
      expect(screen.getByRole("status").textContent).toBe("Eşleşme yok");
    });

    test("is found again in the address", () => {
      window.history.replaceState(null, "", "/dev?q=video&from=mail");
      const { field } = open();
      expect(field.value).toBe("video");
      expect(findCard()).toBeNull();
    });

    test("counts what was typed before the page was hydrated", () => {
      const container = document.body.appendChild(document.createElement("div"));
      container.innerHTML = renderToString(toHub());
      const field = within(container).getByRole<HTMLInputElement>("searchbox");
      field.value = "video";
      act(() => void render(toHub(), { container, hydrate: true }));
      expect(field.isConnected).toBe(true);
      expect(field.value).toBe("video");
      expect(findCard()).toBeNull();
    });
  });

  describe("where a visitor can't make an account", () => {
    const toClosed = (projects: HubProject[]) => toHub("en", ["voice-chat"], projects, "closed");
    const parse = (projects: HubProject[]) =>
      new DOMParser().parseFromString(renderToString(toClosed(projects)), "text/html");
    afterEach(() => {
      delete document.documentElement.dataset.session;
    });

    test("the card of the rooms is there for who is signed in alone", () => {
      const link = parse([FOYER]).querySelector("a[href='/rooms']");
      expect(link?.closest("li")?.classList.contains("when-signed-in")).toBe(true);
      document.documentElement.dataset.session = "user";
      render(toClosed([FOYER]));
      expect(screen.getByRole("link", { name: "Voice Chat" })).toBeTruthy();
    });

    test("a guest neither meets nor finds it", async () => {
      const user = setUpDrawnUser();
      render(toClosed([FOYER]));
      expect(screen.queryByText("Voice Chat")).toBeNull();
      await user.type(screen.getByRole("searchbox"), "voice");
      expect(screen.getByRole("status").textContent).toBe("No matches");
    });

    test("a hub with nothing else is empty to a guest", () => {
      const html = parse([]);
      expect(html.querySelector(".when-signed-out .hub-empty")).not.toBeNull();
      expect(html.querySelector(".when-signed-in a[href='/rooms']")).not.toBeNull();
      render(toClosed([]));
      expect(screen.queryByRole("searchbox")).toBeNull();
    });
  });

  test("without JavaScript every card is there, and the field that could do nothing is marked as such", () => {
    const html = new DOMParser().parseFromString(renderToString(toHub()), "text/html");
    expect(html.querySelector("a[href='/rooms']")?.textContent).toBe("Voice Chat");
    expect(html.querySelector("input")?.closest(".needs-script")).not.toBeNull();
  });

  test("an empty hub says so and has nothing to search", () => {
    render(toHub("en", []));
    expect(screen.getByRole("heading", { name: "No projects here yet" })).toBeDefined();
    expect(screen.queryByRole("searchbox")).toBeNull();
  });

  test("the owner's projects stand in their order before what runs here, each with what there is of it", () => {
    render(toHub("en", ["voice-chat"], [FOYER, NOTES]));
    const titles = screen.getAllByRole("heading", { level: 2 }).map(({ textContent }) => textContent);
    expect(titles).toEqual(["Foyer", "Notes", "Voice Chat"]);
    expect(findCard("Foyer")?.getAttribute("href")).toBe("https://foyer.example/");
    expect(findCard("Notes")).toBeNull();
    const [foyer, notes] = screen.getAllByRole("listitem").filter((item) => item.className === "hub-card");
    expect(foyer?.textContent).toContain("2024 – present");
    expect(foyer?.textContent).toContain("A site of one's own.");
    const picture = foyer?.querySelector("img");
    expect(picture?.getAttribute("src")).toBe("/pictures/a.png/768.webp");
    expect(picture?.getAttribute("srcset")).toBe(
      "/pictures/a.png/384.webp 384w, /pictures/a.png/768.webp 768w",
    );
    expect(notes?.querySelector("img")).toBeNull();
    expect(notes?.querySelector("[aria-hidden]")?.textContent).toBe("N");
  });

  test("projects are found by their technologies", async () => {
    render(toHub("en", ["voice-chat"], [FOYER, NOTES]));
    await setUpDrawnUser().type(screen.getByRole("searchbox"), "postgres");
    const titles = screen.getAllByRole("heading", { level: 2 }).map(({ textContent }) => textContent);
    expect(titles).toEqual(["Foyer"]);
  });

  test("who owns a site without projects is shown the way to add them; where there are some nobody is", () => {
    const { unmount } = render(toHub("en", []));
    const link = screen.getByRole("link", { name: "Add a project" });
    expect(link.getAttribute("href")).toBe("/admin/models/cv.project");
    expect(link.closest(".when-admin")).not.toBeNull();
    unmount();
    render(toHub("en", [], [NOTES]));
    expect(screen.queryByRole("link", { name: "Add a project" })).toBeNull();
  });
});

describe("filter cards", () => {
  const CARD: HubCard = {
    key: "1",
    title: "",
    text: "",
    tags: [],
    date: null,
    href: null,
    to: "/rooms",
    needsAccount: false,
    picture: "voice",
  };

  test.each<[query: string, lang: "en" | "tr", isFound: boolean]>([
    ["", "en", true],
    ["voice", "en", true],
    ["VOICE CHAT", "en", true],
    ["microphone", "en", true],
    ["audio monitoring", "en", true],
    ["monitoring voice", "en", true],
    ["  rooms  ", "en", true],
    ["voice video", "en", false],
    ["video", "en", false],
    [".*", "en", false],
    ["SESLİ SOHBET", "tr", true],
    ["KATILIMCILAR", "tr", true],
    ["odalar", "tr", true],
    ["görüntü", "tr", false],
  ])("%j in %s finds Voice Chat: %j", (query, lang, isFound) => {
    expect(
      filterCards(
        toCards(
          { has_sample: false, projects: [] },
          SITE_INFO,
          createText<HubTextKey>(lang, HUB_TEXTS[lang]),
        ),
        query,
        lang,
      ),
    ).toHaveLength(isFound ? 1 : 0);
  });

  test.each<[text: string, query: string, lang: "en" | "tr", isFound: boolean]>([
    ["Işık", "IŞIK", "tr", true],
    ["Işık", "ışık", "tr", true],
    ["IŞIK", "ışık", "tr", true],
    ["İstanbul", "istanbul", "tr", true],
    ["istanbul", "İSTANBUL", "tr", true],
    ["sesli", "SESLI", "tr", true],
    ["WIFI", "wifi", "tr", true],
    ["ısı", "isi", "tr", false],
    ["Wifi", "WIFI", "en", true],
    ["mic", "mıc", "en", false],
    ["Çınar", "C\u0327ınar", "tr", true],
  ])("%j holds %j by the rules of %s: %j", (text, query, lang, isFound) => {
    const cards = {
      title: { ...CARD, title: text },
      text: { ...CARD, text },
      tag: { ...CARD, tags: [text] },
    };
    for (const card of Object.values(cards))
      expect(filterCards([card], query, lang)).toHaveLength(isFound ? 1 : 0);
  });
});
