/** Second key of `g …`, by resource; the same in both languages, as the addresses are. */
const GO_TO_LETTERS: Readonly<Record<string, string>> = {
  dashboard: "d",
  users: "u",
  "access-levels": "l",
  models: "m",
  actions: "a",
  health: "h",
  settings: "s",
  mailbox: "b",
  "email-monitoring": "e",
  "email-bounces": "r",
  "email-complaints": "c",
};

/** Keys that lead to a resource's screen; undefined where there are none. */
export function findGoToKeys(resource: string): string | undefined {
  const letter = GO_TO_LETTERS[resource];
  return letter && `g ${letter}`;
}
