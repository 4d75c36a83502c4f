import { useEffect, useRef } from "react";
import { useAccountText } from "../account-area.tsx";
import {
  Avatar,
  MAX_MEGABYTES,
  PictureControls,
  type PictureName,
  toPictureAddress,
} from "./editor/pictures.tsx";
import { EditButton } from "./editor/profile-form.tsx";
import type { ProfileEditor } from "./editor/use-profile-editor.ts";
import { useProfile } from "./own-profile.tsx";

interface ProfileHeadProps {
  editor: ProfileEditor;
  onEdit: () => void;
}

/** The focus comes back to Edit when edit mode ends: the button that had it is gone. */
function useFocusOnEdit(phase: ProfileEditor["phase"]) {
  const ref = useRef<HTMLButtonElement>(null);
  const before = useRef(phase);
  useEffect(() => {
    if (phase === "view" && before.current !== "view") ref.current?.focus();
    before.current = phase;
  }, [phase]);
  return ref;
}

/** Cover, picture, name, and the way into edit mode (specification A 2.10). */
export function ProfileHead({ editor, onEdit }: ProfileHeadProps) {
  const t = useAccountText();
  const { profile, auth } = useProfile();
  const { phase, pictures } = editor;
  const editRef = useFocusOnEdit(phase);
  const name = auth.user.display_name || profile.username;
  const cover = toPictureAddress(pictures.changes.cover, profile.cover);
  const avatar = toPictureAddress(pictures.changes.avatar, profile.avatar);

  const toControls = (which: PictureName, address: string | null) => (
    <PictureControls
      name={which}
      error={pictures.errors[which]}
      hasPicture={address !== null}
      isBusy={phase === "saving"}
      onChoose={(file) => void pictures.choose(which, file)}
      onRemove={() => pictures.remove(which)}
    />
  );

  return (
    <header>
      <div className="profile-cover">
        {cover && <img src={cover} alt="" onError={() => phase !== "view" && pictures.refuse("cover")} />}
        {phase !== "view" && toControls("cover", cover)}
      </div>
      <div className="profile-head">
        <Avatar
          username={profile.username}
          picture={avatar}
          alt={t("profile:picture.avatarOf", { name })}
          onError={() => phase !== "view" && pictures.refuse("avatar")}
        />
        <div className="profile-names">
          <h1>{name}</h1>
          <p className="profile-handle">@{profile.username}</p>
        </div>
        {phase === "view" ? (
          <EditButton buttonRef={editRef} onEdit={onEdit} />
        ) : (
          <div className="profile-edit-avatar">
            {toControls("avatar", avatar)}
            <p className="field-note">{t("profile:picture.hint", { max: MAX_MEGABYTES })}</p>
          </div>
        )}
      </div>
    </header>
  );
}
