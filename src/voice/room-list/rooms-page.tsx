import { type ReactNode, useCallback, useEffect, useId, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { type VoiceRoom, voiceRoomCreated } from "#contract/voice-rooms.ts";
import { toReason } from "../../ui/failure-text.ts";
import { type Notice, StatusLine } from "../parts/status.tsx";
import { useOwnPerson, useVoiceServices } from "../voice-context.tsx";
import { useVoiceText } from "../voice-text.tsx";
import { Invitation, RoomDialog } from "./lazy-parts.tsx";
import { RoomCard } from "./room-card.tsx";
import type { RoomValues } from "./room-form.ts";
import { findRooms } from "./room-list-state.ts";
import { useRooms } from "./use-rooms.ts";
import { useTellEntered } from "./use-tell-entered.ts";

const VIEW_KEY = "foyer_rooms_view";
type View = "cards" | "list";

function readView(): View {
  try {
    return localStorage.getItem(VIEW_KEY) === "list" ? "list" : "cards";
  } catch {
    return "cards";
  }
}

function writeView(view: View): void {
  try {
    localStorage.setItem(VIEW_KEY, view);
  } catch {
    // Storage is barred: the choice holds until the page is left.
  }
}

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
  const onEntered = useTellEntered(setNotice);
  const { state, reload, put, drop } = useRooms(onEntered);
  const [search, setSearch] = useState("");
  const [view, setView] = useState<View>(readView);
  const [isCreating, setIsCreating] = useState(false);
  const onGone = useCallback(() => setNotice(undefined), []);
  const maxSeats = state.phase === "loaded" ? state.maxSeats : undefined;
  const menu = { maxSeats, onChanged: put, onDeleted: ({ id }: VoiceRoom) => drop(id), tell: setNotice };

  // A room that is entered from here is joined over the connection that stands.
  useEffect(() => socket.hold(), [socket]);

  function chooseView(next: View) {
    setView(next);
    writeView(next);
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
