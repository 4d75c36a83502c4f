import { toKeyCaps } from "./keys.tsx";

/** The keys of a shortcut as caps. */
export function KeyCaps({ keys }: { keys: string }) {
  return (
    <span className="key-caps">
      {toKeyCaps(keys).map((cap) => (
        <kbd key={cap}>{cap}</kbd>
      ))}
    </span>
  );
}
