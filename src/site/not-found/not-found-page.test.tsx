import { afterEach, expect, jest, test } from "@jest/globals";
import { render, screen } from "@testing-library/react";
import { renderToString } from "react-dom/server.edge";
import { MemoryRouter } from "react-router";
import type { Language } from "#contract/languages.ts";
import { setUpDrawnUser } from "#test/drawn-user.ts";
import { TEXTS, toRequest } from "../../head/test-request.ts";
import { PageContext } from "../../ui/page-context.tsx";
import { toPage } from "../../ui/site-layout.tsx";
import { NotFoundPage } from "./not-found-page.tsx";

function toNotFound(lang: Language) {
  return (
    <MemoryRouter>
      <PageContext value={toPage(toRequest("not-found", { lang }), TEXTS[lang])}>
        <NotFoundPage />
      </PageContext>
    </MemoryRouter>
  );
}

const back = jest.spyOn(window.history, "back").mockImplementation(() => undefined);
const length = jest.spyOn(window.history, "length", "get");
afterEach(() => void back.mockClear());

test.each<[Language, string, string, string]>([
  ["en", "Page not found", "Home", "Back"],
  ["tr", "Sayfa bulunamadı", "Ana sayfa", "Geri"],
])("in %s says %j and leads on and back", async (lang, title, home, backName) => {
  length.mockReturnValue(2);
  render(toNotFound(lang));
  expect(screen.getByRole("heading", { level: 1, name: title })).toBeDefined();
  expect(screen.getByRole("link", { name: home }).getAttribute("href")).toBe("/cv");
  await setUpDrawnUser().click(screen.getByRole("button", { name: backName }));
  expect(back).toHaveBeenCalledTimes(1);
});

test("in a new tab there is nothing to go back to", () => {
  length.mockReturnValue(1);
  render(toNotFound("en"));
  expect(screen.queryByRole("button")).toBeNull();
});

test("without JavaScript there is no button that does nothing", () => {
  length.mockReturnValue(2);
  expect(renderToString(toNotFound("en"))).not.toContain("<button");
});
