import { useId, useState } from "react";
import type { VoiceRoom } from "#contract/voice/rooms.ts";
import { toFailureText } from "../../ui/failure-text.ts";
import type { Call } from "../call/call.ts";
import type { Person } from "../call/room-state.ts";
import { Menu, MenuItem } from "../parts/menu.tsx";
import type { Notice } from "../parts/status.tsx";
import { useVoiceServices, useVoiceText } from "../voice-context.tsx";
import type { Measure } from "./people-dialogs.tsx";

/** What can be done about somebody; the screen has the dialogs and the calls. */
interface PersonActions {
  muteForMe: (person: Person) => void;
  block: (person: Person) => void;
  unblock: (person: Person) => void;
  report: (person: Person) => void;
  silence: (person: Person) => void;
  remove: (person: Person) => void;
  ban: (person: Person) => void;
}

interface PersonMenuProps {
  call: Call;
  person: Person;
  canModerate: boolean;
  /** Everybody has a link of their own: volume and block are possible. */
  isMesh: boolean;
  actions: PersonActions;
}

export function PersonMenu({ call, person, canModerate, isMesh, actions }: PersonMenuProps) {
  const t = useVoiceText();
  const id = useId();
  const { user_id, display_name } = person;
  const { volumes, mutedForMe } = call.sound.devices;
  const isBlocked = call.isBlocked(user_id);
  return (
    <Menu label={t("call:person.menu", { name: display_name })}>
      {isMesh && !isBlocked && (
        <div className="menu-slider">
          <label htmlFor={id}>{t("call:person.volume")}</label>
          <input
            id={id}
            type="range"
            min={0}
            max={2}
            step={0.05}
            defaultValue={volumes[user_id] ?? 1}
            onChange={({ currentTarget }) => call.setPersonVolume(user_id, currentTarget.valueAsNumber)}
          />
        </div>
      )}
      {isMesh && !isBlocked && (
        <MenuItem onChoose={() => actions.muteForMe(person)}>
          {t(mutedForMe.includes(user_id) ? "call:person.unmuteForMe" : "call:person.muteForMe")}
        </MenuItem>
      )}
      {isMesh && (
        <MenuItem onChoose={() => (isBlocked ? actions.unblock(person) : actions.block(person))}>
          {t(isBlocked ? "call:person.unblock" : "call:person.block")}
        </MenuItem>
      )}
      <MenuItem onChoose={() => actions.report(person)}>{t("call:person.report")}</MenuItem>
      {canModerate && (
        <>
          <hr />
          <MenuItem onChoose={() => actions.silence(person)}>
            {t(person.is_silenced ? "call:person.unmuteForAll" : "call:person.muteForAll")}
          </MenuItem>
          <MenuItem isDangerous onChoose={() => actions.remove(person)}>
            {t("call:person.remove")}
          </MenuItem>
          <MenuItem isDangerous onChoose={() => actions.ban(person)}>
            {t("call:person.ban")}
          </MenuItem>
        </>
      )}
    </Menu>
  );
}

interface Moderation {
  room: VoiceRoom;
  call: Call;
  notify: (notice: Notice) => void;
  /** Of what isn't done at once. */
  ask: (measure: Measure) => void;
}

/** What a person's menu does: for oneself (mute, block, report) and for all (specification and decisions: moderation is REST). */
export function useModeration({ room, call, notify, ask }: Moderation): PersonActions {
  const { http } = useVoiceServices();
  const t = useVoiceText();
  // Muting for oneself changes no state of the call: the faces are drawn again.
  const [, drawAgain] = useState(0);

  async function run(request: Promise<void>): Promise<void> {
    try {
      await request;
    } catch (error) {
      const reason = toFailureText(error, t("voice:parts.error"), t);
      notify({ kind: "alert", text: t("voice:parts.didNotWork", { reason }) });
    }
  }

  async function unblock(userId: string): Promise<void> {
    await http.request(`/voice/blocks/${userId}`, { method: "DELETE" });
    call.setBlocked(userId, false);
    drawAgain((count) => count + 1);
  }

  return {
    muteForMe({ user_id }) {
      call.setMutedForMe(user_id, !call.sound.devices.mutedForMe.includes(user_id));
      drawAgain((count) => count + 1);
    },
    block: (person) => ask({ kind: "block", person }),
    unblock: ({ user_id }) => void run(unblock(user_id)),
    report: ({ user_id, display_name }) =>
      ask({ kind: "report", userId: user_id, name: display_name, message: undefined }),
    silence: ({ user_id, is_silenced }) =>
      void run(
        http.request(`/voice/rooms/${encodeURIComponent(room.slug)}/participants/${user_id}`, {
          method: "PUT",
          body: { is_muted: !is_silenced },
        }),
      ),
    remove: (person) => ask({ kind: "remove", person }),
    ban: (person) => ask({ kind: "ban", person }),
  };
}
