import { useId } from "react";
import type { Call } from "../call/call.ts";
import type { Person } from "../call/room-state.ts";
import { Menu, MenuItem } from "../parts/menu.tsx";
import { useVoiceText } from "../voice-text.tsx";

/** What can be done about somebody; the screen has the dialogs and the calls. */
export interface PersonActions {
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
