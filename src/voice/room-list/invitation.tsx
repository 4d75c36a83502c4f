import { useEffect, useState } from "react";
import { useNavigate } from "react-router";
import { voiceRoom } from "#contract/voice/rooms.ts";
import { HttpError } from "#providers/http/http.ts";
import { toFailureText } from "../../ui/failure-text.ts";
import { MissingRoom, readRoomName } from "../parts/missing-room.tsx";
import { useVoiceServices, useVoiceText } from "../voice-context.tsx";

/** `/rooms/{id or slug}` (`part` of the address): leads to the room, for who is signed in; strangers are shown nothing. */
export function Invitation({ part }: { part: string }) {
  const room = readRoomName(part);
  const { http } = useVoiceServices();
  const t = useVoiceText();
  const navigate = useNavigate();
  const [fault, setFault] = useState<unknown>();
  const [tries, setTries] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `tries` asks again
  useEffect(() => {
    let isLeft = false;
    if (room === "") return;
    http
      .request(`/voice/rooms/${encodeURIComponent(room)}`, { schema: voiceRoom })
      .then(({ slug }) => !isLeft && navigate(`/room/${slug}`, { replace: true }))
      .catch((error: unknown) => !isLeft && setFault(error));
    return () => {
      isLeft = true;
    };
  }, [http, room, navigate, tries]);

  if (room === "") return <MissingRoom />;
  if (fault === undefined) return <p role="status">{t("voice:parts.loading")}</p>;
  if (fault instanceof HttpError && fault.status === 404) return <MissingRoom />;
  return (
    <section className="notice-page">
      <p className="alert" role="alert">
        {toFailureText(fault, t("voice:parts.failed"), t)}
      </p>
      <button
        type="button"
        className="button"
        onClick={() => {
          setFault(undefined);
          setTries((count) => count + 1);
        }}
      >
        {t("voice:parts.retry")}
      </button>
    </section>
  );
}
