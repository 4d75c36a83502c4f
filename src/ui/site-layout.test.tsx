import { expect, test } from "@jest/globals";
import { render, screen } from "@testing-library/react";
import { toRequest } from "../head/test-request.ts";
import { texts } from "../public-texts-en.ts";
import { PageContext } from "./page-context.tsx";
import { Farewell, markFarewell, toPage } from "./site-layout.tsx";

const TEXT = /^Your account was deleted/;

const draw = (path: string) => (
  <PageContext value={toPage({ ...toRequest("cv"), path }, texts)}>
    <Farewell />
  </PageContext>
);

test("the deletion of an account is shown on the page after it, and neither on another one nor twice", () => {
  markFarewell();
  const { rerender, unmount } = render(draw("/cv"));
  expect(screen.getByText(TEXT)).toBeTruthy();
  rerender(draw("/contact"));
  expect(screen.queryByText(TEXT)).toBeNull();
  unmount();
  render(draw("/cv"));
  expect(screen.queryByText(TEXT)).toBeNull();
});
