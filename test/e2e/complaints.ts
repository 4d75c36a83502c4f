import type { Page } from "@playwright/test";

/** What a visitor's browser complains about: hydration differences, refused scripts, failed loads. */
export function listen(page: Page): string[] {
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  return complaints;
}
