import type { ReactElement } from "react";
import type { Language } from "#contract/languages.ts";
import type { PageData } from "#contract/page.ts";
import type { AccountTexts, GuestTexts } from "./account/account-text.tsx";

const ACCOUNT_TEXTS: Record<Language, () => Promise<{ texts: AccountTexts }>> = {
  en: () => import("./account/account-texts-en.ts"),
  tr: () => import("./account/account-texts-tr.ts"),
};

const GUEST_TEXTS: Record<Language, () => Promise<{ texts: GuestTexts }>> = {
  en: () => import("./account/guest-texts-en.ts"),
  tr: () => import("./account/guest-texts-tr.ts"),
};

/**
 * The screen of a page, in the browser. Each comes as a chunk of its own, side by side with the texts, which the first page
 * waits for anyway. entry-server makes the same choice without chunks.
 */
export async function loadScreen(data: PageData, lang: Language): Promise<ReactElement> {
  switch (data.screen) {
    case "cv": {
      const { CvPage } = await import("./site/cv/cv-page.tsx");
      return <CvPage cv={data.cv} />;
    }
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
    case "register": {
      const [{ EntranceScreen }, { texts }] = await Promise.all([
        import("./entrance-screens.tsx"),
        GUEST_TEXTS[lang](),
      ]);
      return <EntranceScreen data={data} texts={texts} />;
    }
    case "verify-email":
    case "forgot-password":
    case "setup":
    case "unsubscribe": {
      const [{ AccountScreen }, { texts }] = await Promise.all([
        import("./account-screens.tsx"),
        GUEST_TEXTS[lang](),
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
    case "not-found": {
      const { NotFoundPage } = await import("./site/not-found/not-found-page.tsx");
      return <NotFoundPage />;
    }
  }
}
