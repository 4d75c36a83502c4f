import type { ReactElement } from "react";
import type { Language } from "#contract/languages.ts";
import type { DataOf, MovingScreen, PageData, RenderedPage, ScreenName } from "#contract/site/pages.ts";
import type { SiteInfo } from "#contract/site/site.ts";
import type { AccountTexts, GuestTexts, StepTexts } from "./account/account-area.tsx";
import type { AccountScreenData } from "./account/account-screens.tsx";
import type { EntranceScreenData } from "./account/entrance-screens.tsx";
import type { HubTexts } from "./site/dev-hub/hub-cards.ts";
import type { HeadText, HeadTextKey, ScreenWords } from "./ui/public-text.ts";

type Draw<S extends ScreenName> = (data: DataOf<S>) => ReactElement;

interface Screen<S extends ScreenName> {
  /** Fetches the screen as a chunk of its own, side by side with its texts. */
  load(lang: Language): Promise<Draw<S>>;
  /** What the head says of the page. */
  describe(data: DataOf<S>, site: SiteInfo, t: HeadText): ScreenWords;
  /** Its data, for the browser's own moves. @throws HttpError when the server can't be asked or doesn't have the page. */
  fetch?(lang: Language, path: string): Promise<DataOf<S>>;
  /** The file that `load` imports, whose style sheets the server puts into the page; a build for browsers leaves this out. */
  module: string | undefined;
  /**
   * Where the page shows nothing without the chunks that `load` imports: they. The server has the browser fetch them at once; a
   * build for browsers leaves this out.
   */
  atOnce?: ((lang: Language) => Pick<RenderedPage, "modules">) | undefined;
}

/** Without data no move leads to a screen. */
type Row<S extends ScreenName> = S extends MovingScreen
  ? Screen<S> & Required<Pick<Screen<S>, "fetch">>
  : Screen<S>;

/** For the server alone. */
const onServer = <T,>(value: T) => (import.meta.env?.SSR === false ? undefined : value);

const VOICE_MODULE = "src/voice-screens.tsx";

type TextsByLanguage<Texts> = Record<Language, () => Promise<{ texts: Texts }>>;

const GUEST_TEXTS: TextsByLanguage<GuestTexts> = {
  en: () => import("./account/guest-texts-en.ts"),
  tr: () => import("./account/guest-texts-tr.ts"),
};

const STEP_TEXTS: TextsByLanguage<StepTexts> = {
  en: () => import("./account/step-texts-en.ts"),
  tr: () => import("./account/step-texts-tr.ts"),
};

const ACCOUNT_TEXTS: TextsByLanguage<AccountTexts> = {
  en: () => import("./account/account-texts-en.ts"),
  tr: () => import("./account/account-texts-tr.ts"),
};

const HUB_TEXTS: TextsByLanguage<HubTexts> = {
  en: () => import("./site/dev-hub/hub-texts-en.ts"),
  tr: () => import("./site/dev-hub/hub-texts-tr.ts"),
};

/** `load` of a screen that has all its texts from the page. */
const toLoad =
  <Module, D>(fetchModule: () => Promise<Module>, toDraw: (module: Module) => D) =>
  async () =>
    toDraw(await fetchModule());

/** `load` of a screen with texts of its own. */
const toLoadWith =
  <Texts, Module, D>(
    textsOf: TextsByLanguage<Texts>,
    fetchModule: () => Promise<Module>,
    toDraw: (module: Module, texts: Texts) => D,
  ) =>
  async (lang: Language) => {
    const [{ texts }, module] = await Promise.all([textsOf[lang](), fetchModule()]);
    return toDraw(module, texts);
  };

const ENTRANCE = {
  module: onServer("src/account/entrance-screens.tsx"),
  load: toLoadWith(
    GUEST_TEXTS,
    () => import("./account/entrance-screens.tsx"),
    ({ EntranceScreen }, texts) =>
      (data: EntranceScreenData) => <EntranceScreen data={data} texts={texts} />,
  ),
};

const ACCOUNT = {
  module: onServer("src/account/account-screens.tsx"),
  load: toLoadWith(
    STEP_TEXTS,
    () => import("./account/account-screens.tsx"),
    ({ AccountScreen }, texts) =>
      (data: AccountScreenData) => <AccountScreen data={data} texts={texts} />,
  ),
};

/** Their texts are chosen there: every page has this table. */
const loadVoice = (screen: "rooms" | "room") => async (lang: Language) =>
  (await import("./voice-screens.tsx")).loadVoiceScreen(screen, lang);

/** Apart from the screens, because the first page carries its data. */
const loadPages = () => import("./public-pages.ts");

/** The app, a screen and its texts. */
const toAtOnce = (screens: readonly string[], texts: string) =>
  onServer((lang: Language) => ({
    modules: ["src/entry-client.tsx", ...screens, `src/public-texts-${lang}.ts`, `${texts}-${lang}.ts`],
  }));

/** A head that says the same whatever the data. */
const say =
  (title: HeadTextKey, text?: HeadTextKey): Screen<ScreenName>["describe"] =>
  (_data, _site, t) => ({ title: t(title), text: text && t(text) });

/** Every public screen as the browser app knows it; contract/site/pages.ts has what the server must know too. */
const SCREENS: { [S in ScreenName]: Row<S> } = {
  cv: {
    module: onServer("src/site/cv/cv-page.tsx"),
    load: toLoad(
      async () => {
        // The dialog's style sheet is no part of the page that a visitor waits for, and there before the dialog can be opened. Without it
        // the page still starts.
        const [page] = await Promise.all([
          import("./site/cv/cv-page.tsx"),
          import("./site/cv/certificates/viewer.css").catch((error: unknown) =>
            console.warn("The certificates' style sheet could not be loaded.", error),
          ),
        ]);
        return page;
      },
      ({ CvPage }) =>
        ({ cv }) => <CvPage cv={cv} />,
    ),
    fetch: async (lang) => {
      const pages = await loadPages();
      return pages.fetchCv(lang);
    },
    describe: ({ cv: { tagline, description } }, _site, t) => ({
      title: t("site:cv.title"),
      text: [tagline, description].filter(Boolean).join(" – "),
    }),
  },
  contact: {
    module: onServer("src/site/contact/contact-page.tsx"),
    load: toLoad(
      () => import("./site/contact/contact-page.tsx"),
      ({ ContactPage }) =>
        ({ draft }) => <ContactPage draft={draft} />,
    ),
    fetch: async () => ({ screen: "contact", draft: null }),
    describe: (_data, { words }, t) => ({
      title: t("site:layout.contact"),
      text: [t("head:contact"), words.reply ?? t("head:contactReply")].join(" ").trim(),
    }),
  },
  dev: {
    module: onServer("src/site/dev-hub/dev-hub-page.tsx"),
    load: toLoadWith(
      HUB_TEXTS,
      () => import("./site/dev-hub/dev-hub-page.tsx"),
      ({ DevHubPage }, texts) =>
        ({ hub }) => <DevHubPage hub={hub} texts={texts} />,
    ),
    fetch: async (lang) => {
      const pages = await loadPages();
      return pages.fetchHub(lang);
    },
    describe: say("head:devTitle", "head:dev"),
  },
  text: {
    module: onServer("src/site/text-page/text-page.tsx"),
    load: toLoad(
      () => import("./site/text-page/text-page.tsx"),
      ({ TextPage }) =>
        ({ page }) => <TextPage page={page} />,
    ),
    fetch: async (lang, path) => {
      const pages = await loadPages();
      return pages.fetchText(lang, path);
    },
    describe: ({ page: { title, html } }) => ({ title, html }),
  },
  login: { ...ENTRANCE, describe: say("head:login", "head:loginText") },
  register: { ...ENTRANCE, describe: say("head:register", "head:registerText") },
  waiting: { ...ACCOUNT, describe: say("head:waiting") },
  "verify-email": { ...ACCOUNT, describe: say("head:verifyEmail") },
  "forgot-password": { ...ACCOUNT, describe: say("head:forgotPassword") },
  setup: { ...ACCOUNT, describe: say("head:setup") },
  admission: { ...ACCOUNT, describe: say("head:register") },
  unsubscribe: { ...ACCOUNT, describe: say("head:unsubscribe") },
  profile: {
    module: onServer("src/account/profile/profile-page.tsx"),
    load: toLoadWith(
      ACCOUNT_TEXTS,
      () => import("./account/profile/profile-page.tsx"),
      ({ GuardedProfile }, texts) =>
        () => <GuardedProfile texts={texts} />,
    ),
    describe: say("site:layout.profile"),
    atOnce: toAtOnce(["src/account/profile/profile-page.tsx"], "src/account/account-texts"),
  },
  rooms: {
    module: onServer(VOICE_MODULE),
    load: loadVoice("rooms"),
    fetch: async () => ({ screen: "rooms" }),
    describe: say("head:rooms"),
    atOnce: toAtOnce([VOICE_MODULE, "src/voice/room-list/rooms-page.tsx"], "src/voice/voice-texts"),
  },
  room: {
    module: onServer(VOICE_MODULE),
    load: loadVoice("room"),
    fetch: async () => ({ screen: "room" }),
    describe: say("head:room"),
    atOnce: toAtOnce([VOICE_MODULE, "src/voice/room/room-page.tsx"], "src/voice/call-texts"),
  },
  "not-found": {
    module: onServer("src/site/not-found/not-found-page.tsx"),
    load: toLoad(
      () => import("./site/not-found/not-found-page.tsx"),
      ({ NotFoundPage }) =>
        () => <NotFoundPage />,
    ),
    describe: say("site:notFound.title", "site:notFound.text"),
  },
};

/** The row of a screen, to be given data of that screen. */
export function getScreen(name: ScreenName): Screen<ScreenName> {
  return SCREENS[name] as Screen<ScreenName>; // whoever has data finds the row by their own `screen`
}

/** What a screen that the browser moves to is drawn from. @throws HttpError like `fetch` of the table. */
export const fetchData = (name: MovingScreen, lang: Language, path: string): Promise<PageData> =>
  SCREENS[name].fetch(lang, path);

/** The screen of a page, ready to be shown. */
export async function loadScreen(data: PageData, lang: Language): Promise<ReactElement> {
  const draw = await getScreen(data.screen).load(lang);
  return draw(data);
}
