import { usePage } from "../../ui/page-context.tsx";
import { SiteLink } from "../../ui/site-link.tsx";
import { filterCards } from "./filter-cards.ts";
import { HubCardItem } from "./hub-card-item.tsx";
import { type HubCard, toCards } from "./hub-cards.ts";
import { useHubQuery } from "./use-hub-query.ts";

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
