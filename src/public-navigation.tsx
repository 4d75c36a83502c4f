import { type ReactElement, useEffect, useRef, useState } from "react";
import { useLocation, useNavigationType } from "react-router";
import { findMove, type PageRequest } from "#contract/site/pages.ts";
import { fetchData, loadScreen } from "./public-screens.tsx";
import type { PublicTexts } from "./ui/public-text.ts";

/** A page that can be shown: what it is drawn from, and its screen, loaded. */
export interface LoadedPage {
  /** Path of the address without the language prefix; the request's own path stands for all addresses like it. */
  pathname: string;
  request: PageRequest;
  screen: ReactElement;
}

async function loadPage(pathname: string, from: LoadedPage): Promise<LoadedPage> {
  const { lang } = from.request;
  const name = findMove(from.pathname, pathname);
  if (!name) throw new Error(`${pathname} is loaded as a document`);
  const data = await fetchData(name, lang, pathname);
  return {
    pathname,
    request: { ...from.request, path: pathname, data },
    screen: await loadScreen(data, lang),
  };
}

/** What follows when another page is shown: its head, its beginning, and the focus where it begins. */
async function arrive({ request }: LoadedPage, isForward: boolean, texts: PublicTexts): Promise<void> {
  document.querySelector<HTMLElement>("[popover]")?.hidePopover?.();
  if (isForward) window.scrollTo(0, 0);
  document.getElementById("content")?.focus({ preventScroll: true });
  const { applyHead } = await import("./head/apply-head.ts");
  await applyHead(request, texts);
}

/**
 * The page of the present address. A move to another one shows the page before until the next is there; Back and
 * Forward show what was there. Where a page can't be loaded the browser loads its address as a document, and says
 * what is wrong in its own way.
 */
export function usePageOfAddress(
  first: LoadedPage,
  texts: PublicTexts,
): { page: LoadedPage; isLoading: boolean } {
  const { pathname, key } = useLocation();
  const isForward = useNavigationType() !== "POP";
  // The path too: entries that the browser makes by itself, for `#…`, all have the first page's key.
  const entry = `${key} ${pathname}`;
  const [pages, setPages] = useState<ReadonlyMap<string, LoadedPage>>(() => new Map([[entry, first]]));
  const [shown, setShown] = useState(first);
  const known = pages.get(entry) ?? (shown.pathname === pathname ? shown : undefined);
  if (known && known !== shown) setShown(known);
  // Under an entry of its own for a `#…` too, so that Back from another page finds it there.
  if (known && !pages.has(entry)) setPages(new Map(pages).set(entry, known));

  useEffect(() => {
    if (known) return;
    let isLeft = false;
    loadPage(pathname, first)
      .then((page) => !isLeft && setPages((others) => new Map(others).set(entry, page)))
      .catch((error: unknown) => {
        console.warn("The page is loaded as a document.", error);
        if (!isLeft) window.location.reload();
      });
    return () => {
      isLeft = true;
    };
  }, [known, entry, pathname, first]);

  const arrived = useRef(first);
  useEffect(() => {
    if (arrived.current === shown) return;
    arrived.current = shown;
    arrive(shown, isForward, texts).catch((error: unknown) =>
      console.error("The head could not be set.", error),
    );
  }, [shown, isForward, texts]);

  return { page: known ?? shown, isLoading: !known };
}
