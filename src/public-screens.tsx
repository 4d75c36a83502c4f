import type { ReactElement } from "react";
import type { PageData } from "#contract/page.ts";
import { CvPage } from "./site/cv/cv-page.tsx";
import { NotFoundPage } from "./site/not-found/not-found-page.tsx";

/**
 * The screen of a page, in the browser. What most visitors open comes with the first chunk, the rest as chunks of their
 * own. entry-server makes the same choice without chunks.
 */
export async function loadScreen(data: PageData): Promise<ReactElement> {
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
    case "login": {
      const { LoginPage } = await import("./account/login/login-page.tsx");
      return <LoginPage />;
    }
    case "profile": {
      const { GuardedProfile } = await import("./guarded-screens.tsx");
      return <GuardedProfile />;
    }
    case "later": {
      const { LaterScreen } = await import("./guarded-screens.tsx");
      return <LaterScreen feature={data.feature} />;
    }
    case "not-found":
      return <NotFoundPage />;
  }
}
