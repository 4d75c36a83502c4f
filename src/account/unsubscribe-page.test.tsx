import { afterEach, expect, test } from "@jest/globals";
import { cleanup, render, screen } from "@testing-library/react";
import { MemoryRouter } from "react-router";
import type { UnsubscribeState } from "#contract/site/pages.ts";
import { toRequest } from "../head/test-request.ts";
import { texts } from "../public-texts-tr.ts";
import { PublicApp, toPage } from "../ui/site-layout.tsx";
import { AccountArea } from "./account-area.tsx";
import { texts as accountTexts } from "./account-texts-tr.ts";
import { UnsubscribePage } from "./unsubscribe-page.tsx";

function open(state: UnsubscribeState) {
  const request = toRequest("unsubscribe", { lang: "tr", prefix: "/tr" });
  render(
    <MemoryRouter basename="/tr" initialEntries={[`/tr${request.path}`]}>
      <PublicApp
        page={toPage(request, texts)}
        screen={
          <AccountArea texts={accountTexts}>
            <UnsubscribePage state={state} />
          </AccountArea>
        }
      />
    </MemoryRouter>,
  );
}

afterEach(cleanup);

const ADDRESS = "a…@example.org";

test("asks with a form that needs no script and stays in the language of the address", () => {
  open({ step: "ask", token: "abc", address: ADDRESS });
  const button = screen.getByRole("button", { name: "Bu e-postaları durdur" });
  const form = button.closest("form");
  expect([form?.method, form?.getAttribute("action")]).toEqual(["post", "/tr/api/mail/unsubscribe/abc/"]);
  expect([...new FormData(form ?? undefined)]).toEqual([["confirm", "yes"]]);
  expect(screen.getByText(/a…\u2060@example\.org adresine artık gönderilmez/)).toBeTruthy();
});

test("says for which address it is done, and offers nothing more to press", () => {
  open({ step: "done", address: ADDRESS });
  expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("Tamam");
  expect(screen.getByText(/a…\u2060@example\.org/)).toBeTruthy();
  expect(document.querySelector("form")).toBeNull();
});

test("says that a link leads to nothing", () => {
  open({ step: "unknown" });
  expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("Bu bağlantı bir yere gitmiyor");
  expect(document.querySelector("form")).toBeNull();
});
