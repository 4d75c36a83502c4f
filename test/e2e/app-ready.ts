import { expect, type Page } from "@playwright/test";

/** Every control of a public page works: its app runs. A page loads it when it is at rest, which a busy machine makes late. */
export async function waitForApp(page: Page): Promise<void> {
  await expect(page.locator("html")).toHaveAttribute("data-app", "ready");
}
