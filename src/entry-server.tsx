import { renderToString } from "react-dom/server";
import { StaticRouter } from "react-router";
import { LANGUAGES, type Language } from "#contract/languages.ts";
import { type PageRenderer, type RenderPage, SCREENS, type ScreenName } from "#contract/site/pages.ts";
import { createText } from "#providers/text.ts";
import { buildHead, toScriptJson } from "./head/build-head.ts";
import { texts as headEn } from "./head/head-texts-en.ts";
import { texts as headTr } from "./head/head-texts-tr.ts";
import { getScreen } from "./public-screens.tsx";
import { texts as en } from "./public-texts-en.ts";
import { texts as tr } from "./public-texts-tr.ts";
import type { HeadTextKey, HeadTexts, PublicTexts } from "./ui/public-text.ts";
import { PublicApp, toPage } from "./ui/site-layout.tsx";

const TEXTS: Record<Language, PublicTexts & HeadTexts> = {
  en: { ...en, ...headEn },
  tr: { ...tr, ...headTr },
};

const names = Object.keys(SCREENS) as ScreenName[]; // the table's own keys

/** Drawing never waits: all screens are here before the first page is asked for. */
async function loadScreens(lang: Language) {
  return new Map(
    await Promise.all(names.map(async (name) => [name, await getScreen(name).load(lang)] as const)),
  );
}
const loaded = await Promise.all(LANGUAGES.map(async (lang) => [lang, await loadScreens(lang)] as const));
const screens = new Map(loaded);

/**
 * Draws a public page (contract/site/pages.ts). The slots of `index.html` take the parts as they are:
 * `<!--lang-->` ← `request.lang`, `<!--head-->` ← `head`, `<!--body-->` ← `body`, and `<!--state-->`, which already
 * stands inside `<script type="application/json" id="state">`, ← `state`. Put them in by slicing or with a replacer
 * function: text of the owner may hold `$&`, which `String.replace` would act on.
 */
export const render: RenderPage = (request) => {
  const { data, lang, prefix, path } = request;
  const texts = TEXTS[lang];
  const draw = screens.get(lang)?.get(data.screen);
  if (!draw) throw new Error(`There is no screen ${data.screen} in ${lang}`);
  const body = renderToString(
    <StaticRouter basename={prefix || "/"} location={prefix + path}>
      <PublicApp page={toPage(request, texts)} screen={draw(data)} />
    </StaticRouter>,
  );
  return {
    head: buildHead(request, createText<HeadTextKey>(lang, texts)),
    body,
    state: toScriptJson(request),
    ...getScreen(data.screen).atOnce?.(lang),
  };
};

export const getScreenModule: PageRenderer["getScreenModule"] = (screen) => {
  const { module } = getScreen(screen);
  if (!module) throw new Error(`The screen ${screen} names no file`);
  return module;
};
