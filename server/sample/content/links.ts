import type { linkTable } from "#server/models/declared/link.ts";

/** The footer finds links by the network's name; the addresses lead to no real account. */
export const LINKS: readonly (typeof linkTable.$inferInsert)[] = [
  { network: "GitHub", url: "https://github.example.com/ada-taslakoglu", username: "ada-taslakoglu" },
  { network: "LinkedIn", url: "https://linkedin.example.com/in/ada-taslakoglu", username: "ada-taslakoglu" },
  { network: "Steam", url: "https://steam.example.com/id/adafromnullhaven", username: "adafromnullhaven" },
];
