/** Finds screens, models and records by what is typed. */
export function Palette() {
  return null;
}
