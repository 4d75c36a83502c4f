import "./dev-hub.css";
import { type RefObject, useEffect, useMemo, useRef, useState } from "react";
import type { Hub } from "#contract/site/cv.ts";
import { createText } from "#providers/text.ts";
import { SiteLink } from "../../ui/links.tsx";
import { usePage } from "../../ui/page-context.tsx";
import { filterCards, type HubCard, type HubText, type HubTexts, toCards } from "./hub-cards.ts";

const NAME = "q";

function writeAddress(query: string): void {
  const address = new URL(window.location.href);
  if (query) address.searchParams.set(NAME, query);
  else address.searchParams.delete(NAME);
  // The router's own state stays: to it this is the same entry of the history.
  window.history.replaceState(window.history.state, "", address);
}

/**
 * What is searched for, kept in `?q=`, so that a reload and the way back find it again. The server draws every card,
 * whatever the address says; the field is the browser's own, so that what was typed before hydration counts.
 */
function useHubQuery(): {
  query: string;
  field: RefObject<HTMLInputElement | null>;
  search(query: string): void;
} {
  const field = useRef<HTMLInputElement>(null);
  const [query, setQuery] = useState("");

  useEffect(() => {
    if (!field.current) return;
    field.current.value ||= new URLSearchParams(window.location.search).get(NAME) ?? "";
    setQuery(field.current.value);
  }, []);

  return {
    query: query.trim(),
    field,
    search(text) {
      setQuery(text);
      writeAddress(text.trim());
      if (field.current && field.current.value !== text) field.current.value = text;
    },
  };
}

const PICTURE_SIZES = "(width < 52rem) calc(100vw - 2rem), 27rem";

/** What a card is recognised by: its picture, a voice as a meter shows it, or where there is none the title's first letter. */
function CardPicture({ card: { picture, title } }: { card: HubCard }) {
  const { lang } = usePage();
  if (picture === "voice") {
    return (
      <svg className="hub-card-picture" viewBox="0 0 96 48" aria-hidden="true">
        <path d="M6 21v6M16 16v16M26 8v32M36 14v20M46 4v40M56 12v24M66 18v12M76 10v28M86 20v8" />
      </svg>
    );
  }
  const largest = picture.at(-1);
  if (!largest) {
    return (
      <span className="hub-card-picture" aria-hidden="true">
        {(Array.from(title)[0] ?? "").toLocaleUpperCase(lang)}
      </span>
    );
  }
  return (
    <img
      className="hub-card-picture"
      src={largest.src}
      srcSet={picture.map(({ src, width }) => `${src} ${width}w`).join(", ")}
      sizes={PICTURE_SIZES}
      alt=""
      loading="lazy"
      decoding="async"
    />
  );
}

/** A project, or what runs here: as a whole the link to it, where there is one. */
function HubCardItem({ card }: { card: HubCard }) {
  const { title, text, tags, date, href, to, needsAccount } = card;
  return (
    <li className={needsAccount ? "hub-card when-signed-in" : "hub-card"}>
      <CardPicture card={card} />
      <div className="hub-card-text">
        <h2>
          {to && <SiteLink to={to}>{title}</SiteLink>}
          {href && <a href={href}>{title}</a>}
          {!to && !href && title}
        </h2>
        {date && <p className="hub-date">{date}</p>}
        {text && <p className="prose">{text}</p>}
        {tags.length > 0 && (
          <ul className="hub-tags">
            {tags.map((tag) => (
              <li key={tag}>{tag}</li>
            ))}
          </ul>
        )}
      </div>
    </li>
  );
}

function EmptyHub({ t }: { t: HubText }) {
  return (
    <section className="hub-empty">
      <h2>{t("hub:empty")}</h2>
      <p>{t("hub:emptyHint")}</p>
      <p>
        <SiteLink className="button" to="/cv">
          {t("hub:toCv")}
        </SiteLink>
      </p>
    </section>
  );
}

/** Everybody's page has it, CSS shows it to those who may use it. */
function OwnerHint({ t }: { t: HubText }) {
  return (
    <p className="hub-owner-hint when-admin">
      {t("hub:ownerHint")} <a href="/admin/models/cv.project">{t("hub:addProjects")}</a>
    </p>
  );
}

function SearchableCards({ cards, t }: { cards: readonly HubCard[]; t: HubText }) {
  const { lang } = usePage();
  const { query, field, search } = useHubQuery();
  const found = filterCards(cards, query, lang);
  const isMissing = found.length === 0;
  return (
    <>
      {/* Enter before hydration loads the address that this form makes, and the search is done then */}
      <div className="needs-script">
        <form className="hub-search field" onSubmit={(event) => event.preventDefault()}>
          <label htmlFor="hub-query">{t("hub:search")}</label>
          <input
            ref={field}
            id="hub-query"
            type="search"
            name="q"
            maxLength={100}
            autoComplete="off"
            enterKeyHint="search"
            onInput={(event) => search(event.currentTarget.value)}
          />
        </form>
      </div>
      <div className={isMissing ? "hub-empty" : "hub-found"}>
        <p role="status">
          {query && (isMissing ? t("hub:noMatches") : t("hub:matches", { count: found.length }))}
        </p>
        {isMissing && (
          <>
            <p>{t("hub:noMatchesHint", { query })}</p>
            <button
              className="button"
              type="button"
              onClick={() => {
                search("");
                field.current?.focus();
              }}
            >
              {t("hub:showAll")}
            </button>
          </>
        )}
      </div>
      <ul className="hub-cards">
        {found.map((card) => (
          <HubCardItem key={card.key} card={card} />
        ))}
      </ul>
    </>
  );
}

/** The page is drawn once for everybody; what isn't for a guest is hidden by CSS, and from here on neither found nor counted. */
function useCards(hub: Hub, t: HubText): { cards: HubCard[]; isForMembers: boolean } {
  const { site } = usePage();
  const [isGuest, setIsGuest] = useState(false);
  useEffect(() => setIsGuest(document.documentElement.dataset.session === undefined), []);
  const all = toCards(hub, site, t);
  return {
    cards: isGuest ? all.filter(({ needsAccount }) => !needsAccount) : all,
    isForMembers: all.length > 0 && all.every(({ needsAccount }) => needsAccount),
  };
}

/** The developer hub (specification A 2.6): the owner's projects, and what of the site itself can be tried. */
export function DevHubPage({ hub, texts }: { hub: Hub; texts: HubTexts }) {
  const { lang } = usePage();
  const t: HubText = useMemo(() => createText(lang, texts), [lang, texts]);
  const { cards, isForMembers } = useCards(hub, t);
  return (
    <section className="hub">
      <header className="hub-hero">
        <h1>{t("hub:title")}</h1>
        <p>{t("hub:lead")}</p>
      </header>
      {hub.projects.length === 0 && <OwnerHint t={t} />}
      {cards.length > 0 && (
        <div className={isForMembers ? "when-signed-in" : undefined}>
          <SearchableCards cards={cards} t={t} />
        </div>
      )}
      {(cards.length === 0 || isForMembers) && (
        <div className={isForMembers ? "when-signed-out" : undefined}>
          <EmptyHub t={t} />
        </div>
      )}
    </section>
  );
}
