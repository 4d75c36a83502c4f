import { expect, jest, test } from "@jest/globals";
import { render, screen } from "@testing-library/react";
import { EMPTY_CV } from "#test/empty-cv.ts";

const CvPage = () => <h1>The page</h1>;

// Every style sheet is one module here, so the page that is drawn has none of its own.
jest.unstable_mockModule("./site/cv/cv-page.tsx", () => ({ CvPage }));
jest.unstable_mockModule("./site/cv/certificates/viewer.css", () => {
  throw new Error("The sheet did not arrive.");
});

test("the CV starts without the style sheet of its certificates' dialog where that one doesn't arrive", async () => {
  const warn = jest.spyOn(console, "warn").mockImplementation(() => undefined);
  const { loadScreen } = await import("./public-screens.tsx");
  render(await loadScreen({ screen: "cv", cv: EMPTY_CV }, "en"));
  expect(screen.getByRole("heading", { name: "The page" })).toBeTruthy();
  expect(warn).toHaveBeenCalledWith(expect.stringContaining("style sheet"), expect.any(Error));
  warn.mockRestore();
});
