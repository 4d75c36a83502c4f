import { renderToString } from "react-dom/server";
import { StaticRouter } from "react-router";
import type { Language } from "#contract/languages.ts";
import type { PageData, PageRequest, RenderPage } from "#contract/page.ts";
import { LoginPage } from "./account/login/login-page.tsx";
import { ProfilePage } from "./account/profile/profile-page.tsx";
import { PublicApp, toPage } from "./public-app.tsx";
import { buildHead } from "./public-head.ts";
import { texts as en } from "./public-texts-en.ts";
import { texts as tr } from "./public-texts-tr.ts";
import { ContactPage } from "./site/contact/contact-page.tsx";
import { CvPage } from "./site/cv/cv-page.tsx";
import { DevHubPage } from "./site/dev-hub/dev-hub-page.tsx";
import { LaterPage } from "./site/later/later-page.tsx";
import { NotFoundPage } from "./site/not-found/not-found-page.tsx";
import { TextPage } from "./site/text-page/text-page.tsx";
import type { PublicTexts } from "./ui/public-text.ts";

const TEXTS: Record<Language, PublicTexts> = { en, tr };

/** The same choice as in entry-client, where the screens that few visitors need come as chunks of their own. */
function toScreen(data: PageData) {
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
      return <LoginPage />;
    case "profile":
      return <ProfilePage />;
    case "later":
      return <LaterPage feature={data.feature} />;
    case "not-found":
      return <NotFoundPage />;
  }
}

/** JSON that can't end its script element and that old parsers take as JavaScript too. */
function toStateJson(request: PageRequest): string {
  const escapes: Record<string, string> = { "<": "\\u003c", "\u2028": "\\u2028", "\u2029": "\\u2029" };
  return JSON.stringify(request).replace(/[<\u2028\u2029]/g, (character) => escapes[character] ?? "");
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
      <PublicApp page={page} screen={toScreen(request.data)} />
    </StaticRouter>,
  );
  return { head: buildHead(request, page.t), body, state: toStateJson(request) };
};
