import { lazy, Suspense, startTransition, useEffect, useMemo, useState } from "react";
import { createRoot, hydrateRoot } from "react-dom/client";
import { BrowserRouter } from "react-router";
import type { Language } from "#contract/languages.ts";
import type { PageRequest } from "#contract/site/pages.ts";
import { type LoadedPage, usePageOfAddress } from "./public-navigation.tsx";
import { loadScreen } from "./public-screens.tsx";
import type { PublicTexts } from "./ui/public-text.ts";
import { PublicApp, toPage } from "./ui/site-layout.tsx";

/** A chunk for each language: every page shares it from the browser's cache, and no HTML carries texts a second time. */
const TEXTS: Record<Language, () => Promise<{ texts: PublicTexts }>> = {
  en: () => import("./public-texts-en.ts"),
  tr: () => import("./public-texts-tr.ts"),
};

function readRequest(): PageRequest {
  const text = document.getElementById("state")?.textContent;
  if (!text) throw new Error("The page carries no state.");
  // The same build wrote it into this very document (entry-server.tsx); a schema here would cost every visitor 4 kB.
  return JSON.parse(text) as PageRequest;
}

/** Where a log-in led to the page, it may have something to say: other pages go without its bytes. */
const MailNotice = lazy(() => import("./account/mail-notice.tsx"));

interface BrowserAppProps {
  first: LoadedPage;
  texts: PublicTexts;
  onHydrated: () => void;
}

function BrowserApp({ first, texts, onHydrated }: BrowserAppProps) {
  const { page, isLoading } = usePageOfAddress(first, texts);
  const [isHydrated, setIsHydrated] = useState(false);
  useEffect(() => {
    setIsHydrated(true);
    onHydrated();
  }, [onHydrated]);
  // The server draws one page for all addresses of a kind (`/room/…`); their links are right from here on.
  const path = isHydrated ? page.pathname : page.request.path;
  const context = useMemo(() => toPage({ ...page.request, path }, texts), [page, path, texts]);
  const screen = (
    <>
      {isHydrated && document.referrer.includes("/login") && (
        <Suspense>
          <MailNotice />
        </Suspense>
      )}
      {page.screen}
    </>
  );
  return <PublicApp page={context} screen={screen} isLoading={isLoading} />;
}

/** Ends the session here, in all tabs and on the server, and shows the log-in page (specification A 2.3). */
export async function signOut(): Promise<void> {
  const { getAccountSession } = await import("./account/account-session.ts");
  await getAccountSession().signOut();
  window.location.assign(`${readRequest().prefix}/login`);
}

/** Takes over the page that the server drew. @returns when every control works. */
export async function hydrate(): Promise<void> {
  const root = document.getElementById("root");
  if (!root) throw new Error("index.html has no #root");
  const request = readRequest();
  const [{ texts }, screen] = await Promise.all([
    TEXTS[request.lang](),
    loadScreen(request.data, request.lang),
  ]);
  const pathname = window.location.pathname.slice(request.prefix.length) || "/";
  await new Promise<void>((onHydrated) => {
    const app = (
      <BrowserRouter basename={request.prefix || "/"}>
        <BrowserApp first={{ pathname, request, screen }} texts={texts} onHydrated={onHydrated} />
      </BrowserRouter>
    );
    if (!root.hasChildNodes()) createRoot(root).render(app);
    else {
      // A recoverable error means that server and browser drew different pages: tests fail on it.
      const onRecoverableError = (error: unknown) =>
        console.error("Hydration differs from the server's page.", error);
      // In slices, so that a tap in between is answered: without the transition it is one long task.
      startTransition(() => void hydrateRoot(root, app, { onRecoverableError }));
    }
  });
}
