import { useEffect, useState } from "react";
import { useLocation } from "react-router";
import { type VoicePreferences, voicePreferences } from "#contract/accounts/accounts.ts";
import { blocksAnswer } from "#contract/voice/people.ts";
import { type VoiceRoom, voiceRoomAnswer } from "#contract/voice/rooms.ts";
import { HttpError } from "#providers/http/http.ts";
import { toFailureText } from "../../ui/failure-text.ts";
import { MissingRoom, readRoomName } from "../parts/missing-room.tsx";
import { useVoiceServices, useVoiceText } from "../voice-context.tsx";
import { RoomScreen } from "./room-screen.tsx";

type Loaded = {
  room: VoiceRoom;
  maxSeats: number | undefined;
  preferences: VoicePreferences;
  blocked: readonly string[];
};
type Loading =
  | { phase: "loading" }
  | { phase: "gone" }
  | { phase: "failed"; error: unknown }
  | ({ phase: "loaded" } & Loaded);

/** `/room/{slug}` (specification B section 2). */
export function RoomPage() {
  const { pathname } = useLocation();
  const slug = readRoomName(/^\/room\/([^/]+)/.exec(pathname)?.[1] ?? "");
  return slug === "" ? <MissingRoom /> : <LoadedRoom key={slug} slug={slug} />;
}

/** Another back end may have neither preferences nor blocks: then there are none. */
function orNothing<T>(call: Promise<T>, nothing: T): Promise<T> {
  return call.catch((error: unknown) => {
    if (error instanceof HttpError && error.status === 404) return nothing;
    throw error;
  });
}

function LoadedRoom({ slug }: { slug: string }) {
  const { http } = useVoiceServices();
  const t = useVoiceText();
  const [state, setState] = useState<Loading>({ phase: "loading" });
  const [tries, setTries] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `tries` asks again
  useEffect(() => {
    let isLeft = false;
    Promise.all([
      http.request(`/voice/rooms/${encodeURIComponent(slug)}`, { schema: voiceRoomAnswer }),
      orNothing(
        http.request("/voice/users/voice-preferences", { schema: voicePreferences }),
        voicePreferences.parse({}),
      ),
      orNothing(http.request("/voice/blocks/", { schema: blocksAnswer }), { blocks: [] }),
    ])
      .then(([{ max_seats: maxSeats, ...room }, preferences, { blocks }]) => {
        const blocked = blocks.map(({ user_id }) => user_id);
        if (!isLeft) setState({ phase: "loaded", room, maxSeats, preferences, blocked });
      })
      .catch((error: unknown) => !isLeft && setState({ phase: "failed", error }));
    return () => {
      isLeft = true;
    };
  }, [http, slug, tries]);

  if (state.phase === "loading")
    return (
      <section className="notice-page" aria-busy="true">
        <p role="status">{t("voice:parts.loading")}</p>
      </section>
    );
  if (state.phase === "gone") return <MissingRoom />;
  if (state.phase === "failed") {
    if (state.error instanceof HttpError && state.error.status === 404) return <MissingRoom />;
    return (
      <section className="notice-page">
        <p className="alert" role="alert">
          {toFailureText(state.error, t("voice:parts.failed"), t)}
        </p>
        <button
          type="button"
          className="button"
          onClick={() => {
            setState({ phase: "loading" });
            setTries((count) => count + 1);
          }}
        >
          {t("voice:parts.retry")}
        </button>
      </section>
    );
  }
  return (
    <RoomScreen
      room={state.room}
      maxSeats={state.maxSeats}
      preferences={state.preferences}
      blocked={state.blocked}
      onGone={() => setState({ phase: "gone" })}
      onRoom={(room) => setState((before) => (before.phase === "loaded" ? { ...before, room } : before))}
    />
  );
}
