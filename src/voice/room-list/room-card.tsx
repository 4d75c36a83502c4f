import { useNavigate } from "react-router";
import type { VoiceRoom } from "#contract/voice-rooms.ts";
import { SiteLink } from "../../ui/site-link.tsx";
import { useOwnPerson } from "../voice-context.tsx";
import { useVoiceText } from "../voice-text.tsx";
import { ManagerMenu } from "./lazy-parts.tsx";
import { toCreatorName } from "./room-creator.ts";
import type { RoomMenuProps } from "./room-menu.tsx";

interface RoomCardProps {
  room: VoiceRoom;
  menu: Omit<RoomMenuProps, "room">;
}

/** One room of the list, as a card or as a row: the same content, drawn by CSS. The whole of it opens the room. */
export function RoomCard({ room, menu }: RoomCardProps) {
  const t = useVoiceText();
  const person = useOwnPerson();
  const navigate = useNavigate();
  const { name, description, slug, is_active, is_public, participant_count, max_participants } = room;
  const people = t("voice:rooms.peopleText", { count: participant_count, max: max_participants });
  return (
    <li className={is_active ? "room-card" : "room-card room-off"}>
      <div className="room-badges">
        <span className={is_active ? "badge badge-live" : "badge"}>
          {t(is_active ? "voice:rooms.live" : "voice:rooms.offline")}
        </span>
        {!is_public && <span className="badge">{t("voice:rooms.private")}</span>}
      </div>
      <h2 className="room-name">
        {is_active ? (
          <SiteLink to={`/room/${slug}`} className="room-link">
            {name}
          </SiteLink>
        ) : (
          name
        )}
      </h2>
      <p className="room-description">{description || t("voice:rooms.fallback")}</p>
      <p className="room-facts">
        <span>
          <PeopleIcon />
          <span aria-hidden="true">
            {participant_count} / {max_participants}
          </span>
          <span className="visually-hidden">{people}</span>
        </span>
        <span className="room-creator">
          {t("voice:rooms.creator", { name: toCreatorName(room, person, t) })}
        </span>
      </p>
      <button
        type="button"
        className="button room-join"
        disabled={!is_active}
        aria-label={is_active ? t("voice:rooms.joinRoom", { name }) : undefined}
        onClick={() => navigate(`/room/${slug}`)}
      >
        {t(is_active ? "voice:rooms.join" : "voice:rooms.unavailable")}
      </button>
      {!is_active && <p className="room-overlay">{t("voice:rooms.roomUnavailable")}</p>}
      <ManagerMenu room={room} {...menu} />
    </li>
  );
}

function PeopleIcon() {
  return (
    <svg className="voice-icon" viewBox="0 0 24 24" aria-hidden="true">
      <circle cx="9" cy="8" r="3.5" />
      <path d="M2.5 20c.4-4 3-6 6.5-6s6.1 2 6.5 6" />
      <path d="M16 5.2a3.5 3.5 0 0 1 0 6M17.5 14.3c2.400.7 3.800 2.600 4 5.700" />
    </svg>
  );
}
