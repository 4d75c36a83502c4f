import { type RefObject, useEffect, useRef, useState } from "react";
import { SiteLink } from "../../ui/links.tsx";
import { usePage } from "../../ui/page-context.tsx";
import { filterCards, type HubCard, toCards } from "./hub-cards.ts";

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

/** A voice as a meter shows it. */
function VoicePicture() {
  return (
    <svg className="hub-card-picture" viewBox="0 0 96 48" aria-hidden="true">
      <path d="M6 21v6M16 16v16M26 8v32M36 14v20M46 4v40M56 12v24M66 18v12M76 10v28M86 20v8" />
    </svg>
  );
}

/** A card: a link to what runs here, or word that it isn't open yet. */
function HubCardItem({ card }: { card: HubCard }) {
  const { t } = usePage();
  return (
    <li className="hub-card">
      <VoicePicture />
      <div className="hub-card-text">
        <h2>{card.isOpen ? <SiteLink to={card.to}>{card.title}</SiteLink> : card.title}</h2>
        <p>{card.text}</p>
        {!card.isOpen && (
          <p className="hub-later">
            <strong>{t("site:dev.notOpen")}.</strong> {t("site:dev.notOpenHint")}
          </p>
        )}
        <ul className="hub-tags">
          {card.tags.map((tag) => (
            <li key={tag}>{tag}</li>
          ))}
        </ul>
      </div>
    </li>
  );
}

function EmptyHub() {
  const { t } = usePage();
  return (
    <section className="hub-empty">
      <h2>{t("site:dev.empty")}</h2>
      <p>{t("site:dev.emptyHint")}</p>
      <p>
        <SiteLink className="button" to="/cv">
          {t("site:dev.toCv")}
        </SiteLink>
      </p>
    </section>
  );
}

function SearchableCards({ cards }: { cards: readonly HubCard[] }) {
  const { lang, t } = usePage();
  const { query, field, search } = useHubQuery();
  const found = filterCards(cards, query, lang);
  const isMissing = found.length === 0;
  return (
    <>
      {/* Enter before hydration loads the address that this form makes, and the search is done then */}
      <div className="needs-script">
        <form className="hub-search field" onSubmit={(event) => event.preventDefault()}>
          <label htmlFor="hub-query">{t("site:dev.search")}</label>
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
          {query && (isMissing ? t("site:dev.noMatches") : t("site:dev.matches", { count: found.length }))}
        </p>
        {isMissing && (
          <>
            <p>{t("site:dev.noMatchesHint", { query })}</p>
            <button
              className="button"
              type="button"
              onClick={() => {
                search("");
                field.current?.focus();
              }}
            >
              {t("site:dev.showAll")}
            </button>
          </>
        )}
      </div>
      <ul className="hub-cards">
        {found.map((card) => (
          <HubCardItem key={card.feature} card={card} />
        ))}
      </ul>
    </>
  );
}

/** The developer hub (specification A 2.6). */
export function DevHubPage() {
  const { site, t } = usePage();
  const cards = toCards(site, t);
  return (
    <section className="hub">
      <header className="hub-hero">
        <h1>{t("site:dev.title")}</h1>
        <p>{t(cards.some(({ isOpen }) => isOpen) ? "site:dev.lead" : "site:dev.leadLater")}</p>
      </header>
      {cards.length > 0 ? <SearchableCards cards={cards} /> : <EmptyHub />}
    </section>
  );
}
