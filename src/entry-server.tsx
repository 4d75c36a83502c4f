import { renderToString } from "react-dom/server";
import { StaticRouter } from "react-router";
import type { Language } from "#contract/languages.ts";
import type { PageData, PageRequest, RenderedPage, RenderPage } from "#contract/page.ts";
import type { AccountTexts } from "./account/account-text.tsx";
import { texts as accountEn } from "./account/account-texts-en.ts";
import { texts as accountTr } from "./account/account-texts-tr.ts";
import { AccountScreen } from "./account-screens.tsx";
import { EntranceScreen } from "./entrance-screens.tsx";
import { GuardedScreen } from "./guarded-screens.tsx";
import { toScriptJson } from "./head/script-json.ts";
import { PublicApp, toPage } from "./public-app.tsx";
import { buildHead } from "./public-head.ts";
import { texts as en } from "./public-texts-en.ts";
import { texts as tr } from "./public-texts-tr.ts";
import { ContactPage } from "./site/contact/contact-page.tsx";
import { CvPage } from "./site/cv/cv-page.tsx";
import { DevHubPage } from "./site/dev-hub/dev-hub-page.tsx";
import { NotFoundPage } from "./site/not-found/not-found-page.tsx";
import { TextPage } from "./site/text-page/text-page.tsx";
import type { PublicTexts } from "./ui/public-text.ts";

const TEXTS: Record<Language, PublicTexts> = { en, tr };
const ACCOUNT_TEXTS: Record<Language, AccountTexts> = { en: accountEn, tr: accountTr };

/** The same choice as in public-screens.tsx, where the screens that few visitors need come as chunks of their own. */
function toScreen(data: PageData, lang: Language) {
  switch (data.screen) {
    case "cv":
      return <CvPage cv={data.cv} />;
    case "contact":
      return <ContactPage draft={data.draft} />;
    case "dev":
      return <DevHubPage />;
    case "text":
      return <TextPage page={data.page} />;
    case "login":
    case "register":
      return <EntranceScreen data={data} texts={ACCOUNT_TEXTS[lang]} />;
    case "verify-email":
    case "forgot-password":
    case "setup":
    case "unsubscribe":
      return <AccountScreen data={data} texts={ACCOUNT_TEXTS[lang]} />;
    case "profile":
    case "later":
      return <GuardedScreen screen={data.screen} texts={ACCOUNT_TEXTS[lang]} />;
    case "not-found":
      return <NotFoundPage />;
  }
}

/** Screens that wait for the browser to say who looks: what public-screens.tsx loads for them, and the app itself. */
function toModules({ data: { screen }, lang }: PageRequest): Pick<RenderedPage, "modules"> {
  if (screen !== "profile" && screen !== "later") return {};
  return {
    modules: [
      "src/entry-client.tsx",
      `src/public-texts-${lang}.ts`,
      "src/guarded-screens.tsx",
      `src/account/account-texts-${lang}.ts`,
    ],
  };
}

/**
 * Draws a public page (contract/page.ts). The slots of `index.html` take the parts as they are:
 * `<!--lang-->` ← `request.lang`, `<!--head-->` ← `head`, `<!--body-->` ← `body`, and `<!--state-->`, which already
 * stands inside `<script type="application/json" id="state">`, ← `state`. Put them in by slicing or with a replacer
 * function: text of the owner may hold `$&`, which `String.replace` would act on.
 */
export const render: RenderPage = (request) => {
  const page = toPage(request, TEXTS[request.lang]);
  const body = renderToString(
    <StaticRouter basename={request.prefix || "/"} location={request.prefix + request.path}>
      <PublicApp page={page} screen={toScreen(request.data, request.lang)} />
    </StaticRouter>,
  );
  return { head: buildHead(request, page.t), body, state: toScriptJson(request), ...toModules(request) };
};
