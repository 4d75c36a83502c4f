import { usePage } from "../../ui/page-context.tsx";
import { SiteLink } from "../../ui/site-link.tsx";
import type { HubCard } from "./hub-cards.ts";

/** A voice as a meter shows it. */
function VoicePicture() {
  return (
    <svg className="hub-card-picture" viewBox="0 0 96 48" aria-hidden="true">
      <path d="M6 21v6M16 16v16M26 8v32M36 14v20M46 4v40M56 12v24M66 18v12M76 10v28M86 20v8" />
    </svg>
  );
}

/** A card: a link to what runs here, or word that it isn't open yet. */
export function HubCardItem({ card }: { card: HubCard }) {
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
