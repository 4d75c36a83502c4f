/** A tile with its own ground, so that the drawing on it is readable on light and dark pages alike. */
function tile(name: string, ground: string, drawing: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" width="64" height="64"><title>${name}</title><rect width="64" height="64" rx="14" fill="${ground}"/><g fill="none" stroke="#fff" stroke-width="4" stroke-linecap="round" stroke-linejoin="round">${drawing}</g></svg>\n`;
}

/** Icons of the tools by file: drawings of what the tools do, nobody's logo. */
export const TOOL_ICONS: Readonly<Record<string, string>> = {
  // Braces around the colon of a type.
  "typescript.svg": tile(
    "TypeScript",
    "#2f6db5",
    `<path d="M24 14c-6 0-7 3-7 8v4c0 4-2 6-5 6 3 0 5 2 5 6v4c0 5 1 8 7 8M40 14c6 0 7 3 7 8v4c0 4 2 6 5 6-3 0-5 2-5 6v4c0 5-1 8-7 8"/><g fill="#fff" stroke="none"><circle cx="32" cy="26" r="3.6"/><circle cx="32" cy="39" r="3.6"/></g>`,
  ),
  // A cylinder of tables.
  "postgresql.svg": tile(
    "PostgreSQL",
    "#33608a",
    `<ellipse cx="32" cy="18" rx="17" ry="6.5"/><path d="M15 18v28c0 3.6 7.6 6.5 17 6.5S49 49.6 49 46V18M15 27.5c0 3.6 7.6 6.5 17 6.5s17-2.9 17-6.5M15 37c0 3.6 7.6 6.5 17 6.5S49 40.6 49 37"/>`,
  ),
  // A prompt that waits.
  "linux.svg": tile("Linux", "#3f4a56", `<path d="M15 20l12 12-12 12"/><path d="M33 46h16"/>`),
  // Two branches that meet.
  "git.svg": tile(
    "Git",
    "#c2492c",
    `<path d="M21 21v22M43 27c0 9-7 10-15 10.5"/><circle cx="21" cy="16" r="5"/><circle cx="21" cy="48" r="5"/><circle cx="43" cy="21" r="5"/>`,
  ),
  // Messages in a row, the first one leaving.
  "queues.svg": tile(
    "Queues",
    "#7a4fb0",
    `<rect x="10" y="24" width="9" height="16" rx="2.5"/><rect x="24" y="24" width="9" height="16" rx="2.5"/><path d="M39 32h14M47 25l7 7-7 7"/>`,
  ),
  // A pulse.
  "monitoring.svg": tile("Monitoring", "#1e7d5c", `<path d="M9 34h11l6-16 10 29 7-19 3 6h9"/>`),
  // A dial near its end.
  "load-tests.svg": tile(
    "Load tests",
    "#b0731b",
    `<path d="M13 44a20 20 0 1 1 38 0"/><path d="M32 40l11-11"/><path d="M32 17v4M15.5 30l3.5 2M48.5 30l-3.5 2" stroke-width="3"/><circle cx="32" cy="41" r="3.5" fill="#fff" stroke="none"/>`,
  ),
};
