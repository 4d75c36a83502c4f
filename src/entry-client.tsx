import type { ReactElement } from "react";
import { createRoot, hydrateRoot } from "react-dom/client";
import { BrowserRouter } from "react-router";
import type { Language } from "#contract/languages.ts";
import type { PageData, PageRequest } from "#contract/page.ts";
import { PublicApp, toPage } from "./public-app.tsx";
import { CvPage } from "./site/cv/cv-page.tsx";
import { LaterPage } from "./site/later/later-page.tsx";
import { NotFoundPage } from "./site/not-found/not-found-page.tsx";
import { TextPage } from "./site/text-page/text-page.tsx";
import type { PublicTexts } from "./ui/public-text.ts";

/** A chunk for each language: every page shares it from the browser's cache, and no HTML carries texts a second time. */
const TEXTS: Record<Language, () => Promise<{ texts: PublicTexts }>> = {
  en: () => import("./public-texts-en.ts"),
  tr: () => import("./public-texts-tr.ts"),
};

async function loadScreen(data: PageData): Promise<ReactElement> {
  switch (data.screen) {
    case "cv":
      return <CvPage cv={data.cv} />;
    case "login": {
      const { LoginPage } = await import("./account/login/login-page.tsx");
      return <LoginPage />;
    }
    case "contact": {
      const { ContactPage } = await import("./site/contact/contact-page.tsx");
      return <ContactPage draft={data.draft} />;
    }
    case "dev": {
      const { DevHubPage } = await import("./site/dev-hub/dev-hub-page.tsx");
      return <DevHubPage />;
    }
    case "text":
      return <TextPage page={data.page} />;
    case "profile": {
      const { ProfilePage } = await import("./account/profile/profile-page.tsx");
      return <ProfilePage />;
    }
    case "later":
      return <LaterPage feature={data.feature} />;
    case "not-found":
      return <NotFoundPage />;
  }
}

function readRequest(): PageRequest {
  const text = document.getElementById("state")?.textContent;
  if (!text) throw new Error("The page carries no state.");
  // The same build wrote it into this very document (entry-server.tsx); a schema here would cost every visitor 4 kB.
  return JSON.parse(text) as PageRequest;
}

async function start(root: HTMLElement) {
  const request = readRequest();
  const [{ texts }, screen] = await Promise.all([TEXTS[request.lang](), loadScreen(request.data)]);
  const app = (
    <BrowserRouter basename={request.prefix || "/"}>
      <PublicApp page={toPage(request, texts)} screen={screen} />
    </BrowserRouter>
  );
  if (!root.hasChildNodes()) createRoot(root).render(app);
  else {
    // A recoverable error means that server and browser drew different pages: tests fail on it.
    const onRecoverableError = (error: unknown) =>
      console.error("Hydration differs from the server's page.", error);
    hydrateRoot(root, app, { onRecoverableError });
  }
}

const root = document.getElementById("root");
if (root) void start(root);
