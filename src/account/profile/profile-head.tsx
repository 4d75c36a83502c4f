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
function useFocusOnEdit(state: ProfileEditor["state"]) {
  const ref = useRef<HTMLButtonElement>(null);
  const hasEnded = state.phase === "view" && state.ending !== undefined;
  useEffect(() => {
    if (hasEnded) ref.current?.focus();
  }, [hasEnded]);
  return ref;
}

/** Cover, picture, name, and the way into edit mode (specification A 2.10). */
export function ProfileHead({ editor, onEdit }: ProfileHeadProps) {
  const t = useAccountText();
  const { profile, auth } = useProfile();
  const { state, isEditing, pictures } = editor;
  const editRef = useFocusOnEdit(state);
  const name = auth.user.display_name || profile.username;
  const cover = toPictureAddress(pictures.cover, profile.cover);
  const avatar = toPictureAddress(pictures.avatar, profile.avatar);

  const toControls = (which: PictureName, address: string | null) => (
    <PictureControls
      name={which}
      error={editor.pictureErrors[which]}
      hasPicture={address !== null}
      isBusy={state.phase === "saving"}
      onChoose={(file) => void editor.choosePicture(which, file)}
      onRemove={() => editor.removePicture(which)}
    />
  );

  return (
    <header>
      <div className="profile-cover">
        {cover && <img src={cover} alt="" onError={() => isEditing && editor.refusePicture("cover")} />}
        {isEditing && toControls("cover", cover)}
      </div>
      <div className="profile-head">
        <Avatar
          username={profile.username}
          picture={avatar}
          alt={t("profile:picture.avatarOf", { name })}
          onError={() => isEditing && editor.refusePicture("avatar")}
        />
        <div className="profile-names">
          <h1>{name}</h1>
          <p className="profile-handle">@{profile.username}</p>
        </div>
        {isEditing ? (
          <div className="profile-edit-avatar">
            {toControls("avatar", avatar)}
            <p className="field-note">{t("profile:picture.hint", { max: MAX_MEGABYTES })}</p>
          </div>
        ) : (
          <EditButton buttonRef={editRef} onEdit={onEdit} />
        )}
      </div>
    </header>
  );
}
