import { type ReactNode, useCallback, useEffect, useId, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { type VoiceRoom, voiceRoomCreated } from "#contract/voice/rooms.ts";
import { createSafeStorage } from "#providers/browser-storage.ts";
import { toReason } from "../../ui/failure-text.ts";
import { SiteLink } from "../../ui/links.tsx";
import { type Notice, StatusLine, useNotifyEntered } from "../parts/status.tsx";
import { useOwnPerson, useVoiceServices, useVoiceText, type VoiceText } from "../voice-context.tsx";
import { Invitation, ManagerMenu, RoomDialog } from "./lazy-parts.tsx";
import type { RoomValues } from "./room-dialog.tsx";
import type { RoomMenuProps } from "./room-menu.tsx";
import { findRooms, useRooms } from "./use-rooms.ts";

/** Who made a room, as the list says it: one's own name, else that it was a user (specification B section 2). */
function toCreatorName(
  room: Pick<VoiceRoom, "created_by">,
  person: { id: string; name: string; email: string },
  t: VoiceText,
): string {
  if (room.created_by === "unknown") return t("voice:rooms.unknownUser");
  return room.created_by === person.id ? person.name || person.email : t("voice:rooms.user");
}

interface RoomCardProps {
  room: VoiceRoom;
  menu: Omit<RoomMenuProps, "room">;
}

/** One room of the list, as a card or as a row: the same content, drawn by CSS. The whole of it opens the room. */
function RoomCard({ room, menu }: RoomCardProps) {
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
      <path d="M16 5.2a3.5 3.5 0 0 1 0 6M17.5 14.3c2.4.7 3.8 2.6 4 5.7" />
    </svg>
  );
}

const VIEW_KEY = "foyer_rooms_view";
type View = "cards" | "list";

const storage = createSafeStorage();
const readView = (): View => (storage.getItem(VIEW_KEY) === "list" ? "list" : "cards");

/** `/rooms`, and `/rooms/{id or slug}`, the address of an invitation, which leads on to the room. */
export function RoomsPage() {
  const { pathname } = useLocation();
  const invited = /^\/rooms\/([^/]+)\/?$/.exec(pathname)?.[1];
  if (invited === undefined) return <RoomList />;
  return <Invitation key={invited} part={invited} />;
}

function RoomList() {
  const t = useVoiceText();
  const { http, socket } = useVoiceServices();
  const person = useOwnPerson();
  const navigate = useNavigate();
  const searchId = useId();
  const [notice, setNotice] = useState<Notice>();
  const onEntered = useNotifyEntered(setNotice);
  const { state, reload, put, drop } = useRooms(onEntered);
  const [search, setSearch] = useState("");
  const [view, setView] = useState<View>(readView);
  const [isCreating, setIsCreating] = useState(false);
  const onGone = useCallback(() => setNotice(undefined), []);
  const maxSeats = state.phase === "loaded" ? state.maxSeats : undefined;
  const menu = { maxSeats, onChanged: put, onDeleted: ({ id }: VoiceRoom) => drop(id), notify: setNotice };

  // A room that is entered from here is joined over the connection that stands.
  useEffect(() => socket.hold(), [socket]);

  function chooseView(next: View) {
    setView(next);
    storage.setItem(VIEW_KEY, next);
  }

  async function create(values: RoomValues) {
    const room = await http.request("/voice/rooms", {
      method: "POST",
      body: { ...values, created_by: person.id },
      schema: voiceRoomCreated,
    });
    window.dispatchEvent(new CustomEvent("room-created", { detail: { id: room.id, slug: room.room_slug } }));
    setIsCreating(false);
    navigate(`/room/${room.room_slug}`);
  }

  return (
    <div className="rooms-page">
      <header className="rooms-hero">
        <div>
          <h1>{t("voice:rooms.title")}</h1>
          <p>{t("voice:rooms.subtitle")}</p>
        </div>
        <button type="button" className="button" onClick={() => setIsCreating(true)}>
          {t("voice:rooms.create")}
        </button>
      </header>
      <div className="rooms-tools">
        <div className="field rooms-search">
          <label htmlFor={searchId}>{t("voice:rooms.search")}</label>
          <input
            id={searchId}
            type="search"
            value={search}
            placeholder={t("voice:rooms.searchHint")}
            onChange={({ currentTarget }) => setSearch(currentTarget.value)}
          />
        </div>
        <fieldset className="rooms-view">
          <legend className="visually-hidden">{t("voice:rooms.view")}</legend>
          {(["cards", "list"] as const).map((name) => (
            <label key={name} className={view === name ? "view-choice view-chosen" : "view-choice"}>
              <input
                type="radio"
                name="view"
                className="visually-hidden"
                checked={view === name}
                onChange={() => chooseView(name)}
              />
              {t(`voice:rooms.${name}`)}
            </label>
          ))}
        </fieldset>
      </div>
      <RoomListBody
        state={state}
        search={search}
        view={view}
        mayCreate={person.level >= 5}
        onRetry={reload}
        onClear={() => setSearch("")}
        draw={(room) => <RoomCard key={room.id} room={room} menu={menu} />}
      />
      <StatusLine notice={notice} onGone={onGone} />
      {isCreating && <RoomDialog maxSeats={maxSeats} save={create} onClose={() => setIsCreating(false)} />}
    </div>
  );
}

interface RoomListBodyProps {
  state: ReturnType<typeof useRooms>["state"];
  search: string;
  view: View;
  mayCreate: boolean;
  onRetry: () => void;
  onClear: () => void;
  draw: (room: VoiceRoom) => ReactNode;
}

function RoomListBody({ state, search, view, mayCreate, onRetry, onClear, draw }: RoomListBodyProps) {
  const t = useVoiceText();
  if (state.phase === "loading")
    return (
      <div className={`rooms-${view}`} aria-busy="true">
        <p className="visually-hidden" role="status">
          {t("voice:rooms.loading")}
        </p>
        {[1, 2, 3].map((key) => (
          <div key={key} className="room-card room-waiting" aria-hidden="true" />
        ))}
      </div>
    );
  if (state.phase === "failed")
    return (
      <div className="rooms-notice">
        <p className="alert" role="alert">
          {[t("voice:rooms.failed"), toReason(state.error, t)].filter(Boolean).join(": ")}
        </p>
        <button type="button" className="button" onClick={onRetry}>
          {t("voice:rooms.retry")}
        </button>
      </div>
    );
  const found = findRooms(state.rooms, search);
  const isSearching = search.trim() !== "";
  return (
    <>
      <p className="rooms-count" role="status">
        {t(isSearching ? "voice:rooms.found" : "voice:rooms.total", { count: found.length })}
      </p>
      {found.length > 0 && <ul className={`rooms-${view}`}>{found.map(draw)}</ul>}
      {found.length === 0 && isSearching && (
        <div className="rooms-notice">
          <h2>{t("voice:rooms.noneTitle")}</h2>
          <p>{t("voice:rooms.noneText")}</p>
          <button type="button" className="voice-button" onClick={onClear}>
            {t("voice:rooms.clearSearch")}
          </button>
        </div>
      )}
      {found.length === 0 && !isSearching && (
        <div className="rooms-notice">
          <h2>{t("voice:rooms.emptyTitle")}</h2>
          <p>{t(mayCreate ? "voice:rooms.emptyText" : "voice:rooms.emptyTextGuest")}</p>
        </div>
      )}
    </>
  );
}
