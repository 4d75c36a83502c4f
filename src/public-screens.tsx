import type { ReactElement } from "react";
import type { Language } from "#contract/languages.ts";
import type { PageData } from "#contract/page.ts";
import type { AccountTexts } from "./account/account-text.tsx";
import { CvPage } from "./site/cv/cv-page.tsx";
import { NotFoundPage } from "./site/not-found/not-found-page.tsx";

const ACCOUNT_TEXTS: Record<Language, () => Promise<{ texts: AccountTexts }>> = {
  en: () => import("./account/account-texts-en.ts"),
  tr: () => import("./account/account-texts-tr.ts"),
};

/**
 * The screen of a page, in the browser. What most visitors open comes with the first chunk, the rest as chunks of their
 * own. entry-server makes the same choice without chunks.
 */
export async function loadScreen(data: PageData, lang: Language): Promise<ReactElement> {
  switch (data.screen) {
    case "cv":
      return <CvPage cv={data.cv} />;
    case "contact": {
      const { ContactPage } = await import("./site/contact/contact-page.tsx");
      return <ContactPage draft={data.draft} />;
    }
    case "dev": {
      const { DevHubPage } = await import("./site/dev-hub/dev-hub-page.tsx");
      return <DevHubPage />;
    }
    case "text": {
      const { TextPage } = await import("./site/text-page/text-page.tsx");
      return <TextPage page={data.page} />;
    }
    case "login":
    case "register":
    case "verify-email":
    case "forgot-password":
    case "setup":
    case "unsubscribe": {
      const [{ AccountScreen }, { texts }] = await Promise.all([
        import("./account-screens.tsx"),
        ACCOUNT_TEXTS[lang](),
      ]);
      return <AccountScreen data={data} texts={texts} />;
    }
    case "profile":
    case "later": {
      const [{ GuardedScreen }, { texts }] = await Promise.all([
        import("./guarded-screens.tsx"),
        ACCOUNT_TEXTS[lang](),
      ]);
      return <GuardedScreen screen={data.screen} texts={texts} />;
    }
    case "not-found":
      return <NotFoundPage />;
  }
}
