import { useState } from "react";

interface AvatarProps {
  username: string;
  /** Address of the picture; null: the first two letters stand for it. */
  picture: string | null;
  alt: string;
  onError?: (() => void) | undefined;
}

/** Names are ASCII: the reader's language must not make İ of an i. */
function toInitials(username: string): string {
  return username.slice(0, 2).toUpperCase();
}

/** The picture of a person, or the first two letters of the username (specification A 2.10), also for one that can't be shown. */
export function Avatar({ username, picture, alt, onError }: AvatarProps) {
  const [broken, setBroken] = useState<string | null>(null);
  if (picture && picture !== broken) {
    const note = () => {
      setBroken(picture);
      onError?.();
    };
    return <img className="profile-avatar" src={picture} alt={alt} onError={note} />;
  }
  return (
    <span className="profile-avatar" aria-hidden="true">
      {toInitials(username)}
    </span>
  );
}
