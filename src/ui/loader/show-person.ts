/** What of a remembered person the page shows before any of its screens is here. */
interface RememberedPerson {
  access_level: number;
  username?: string;
  display_name?: string;
}

/**
 * Shows whose page this is: `<html data-session>` for the header, `--known-name` for the profile that is on its way. The inline
 * script of index.html does the same before the first drawing.
 */
export function showPerson({ dataset, style }: HTMLElement, person: RememberedPerson | null): void {
  const name = person?.display_name || person?.username;
  if (person) dataset.session = person.access_level >= 10 ? "admin" : "user";
  else delete dataset.session;
  if (name) style.setProperty("--known-name", JSON.stringify(name));
  else style.removeProperty("--known-name");
}
