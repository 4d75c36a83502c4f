import type { Page } from "playwright-core";
import { OWNER } from "./site.ts";

/** Logs the owner in and waits for an address of the console. The page is in either language. */
export async function logIn(page: Page, url: string, path: string, person = OWNER): Promise<void> {
  await page.goto(`${url}/login?redirect=${encodeURIComponent(path)}`);
  await page.getByLabel(/Username|Kullanıcı adı/).fill(person.username);
  await page.getByLabel(/^(Password|Parola)$/).fill(person.password);
  await page.getByRole("button", { name: /Log in|Giriş yap/ }).click();
  await page.waitForURL(url + path);
}
