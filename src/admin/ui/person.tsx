/** As many grounds as users.css has. */
const GROUNDS = 6;

/** First letters of the first and the last name, else of the username. Code points, so that no letter is cut in two. */
export function toInitials(name: string, lang: string): string {
  const words = name.split(/[\s_.-]+/).filter((word) => word !== "");
  const [first = "", last = ""] = [words[0], words.length > 1 ? words.at(-1) : undefined];
  return [...first]
    .slice(0, 1)
    .concat([...last].slice(0, 1))
    .join("")
    .toLocaleUpperCase(lang);
}

/** Initials on a ground that stays the person's own. The name stands beside it. */
export function UserAvatar({ id, name, lang }: { id: number; name: string; lang: string }) {
  return (
    <span className="user-avatar" data-ground={id % GROUNDS} aria-hidden>
      {toInitials(name, lang)}
    </span>
  );
}

/** An address that is too long for its column breaks before its @, or where it has a hyphen. */
export function EmailText({ email }: { email: string }) {
  const at = email.lastIndexOf("@");
  if (at < 1) return email;
  return (
    <span className="email-text">
      {email.slice(0, at)}
      <wbr />
      {email.slice(at)}
    </span>
  );
}
