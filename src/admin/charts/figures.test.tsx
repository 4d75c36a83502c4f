import { afterEach, expect, test } from "@jest/globals";
import { cleanup, render, screen, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { I18nextProvider } from "react-i18next";
import { createI18n } from "#providers/i18n.ts";
import { fillInBrowser } from "../test-admin.tsx";
import { TrendFigure } from "./figures.tsx";
import { buildUtcDays, type StackedSeries } from "./series.ts";

const VOLUME: StackedSeries = {
  kind: "stack",
  parts: [
    { key: "delivered", label: "Delivered", colour: "success" },
    { key: "bounced", label: "Bounced", colour: "danger" },
  ],
  points: [
    { at: "2026-11-23", values: { delivered: 90, bounced: 10 } },
    { at: "2026-11-24", values: { delivered: 5, bounced: null } },
  ],
  formatValue: String,
  ...buildUtcDays("en"),
};

afterEach(cleanup);

test("volume by state has a legend, a table with a column for each state, and says that its days are UTC", async () => {
  fillInBrowser();
  const user = userEvent.setup();
  render(
    <I18nextProvider i18n={createI18n("en")}>
      <TrendFigure title="Volume" number="105" period="last 30 days" series={VOLUME} />
    </I18nextProvider>,
  );
  expect(screen.getByText("last 30 days, days in UTC")).toBeTruthy();
  expect(screen.getByRole("img", { name: "Volume, last 30 days: between 5 and 100, last 5." })).toBeTruthy();
  const legend = within(screen.getByRole("list"));
  expect(legend.getAllByRole("listitem").map(({ textContent }) => textContent)).toEqual([
    "Bounced",
    "Delivered",
  ]);
  await user.click(screen.getByText("Show as table"));
  const table = within(await screen.findByRole("table"));
  expect(table.getAllByRole("columnheader").map(({ textContent }) => textContent)).toEqual([
    "Day (UTC)",
    "Delivered",
    "Bounced",
  ]);
  const newest = table.getByRole("row", { name: /Tuesday, November 24/ });
  expect(
    within(newest)
      .getAllByRole("cell")
      .map(({ textContent }) => textContent),
  ).toEqual(["5", "Not measured"]);
});

test("a rate says which line it should stay above, and which below", () => {
  fillInBrowser();
  const points = VOLUME.points.map(({ at }) => ({ at, value: 99 }));
  render(
    <I18nextProvider i18n={createI18n("en")}>
      <TrendFigure
        title="Delivery rate"
        number="99"
        period="last 30 days"
        series={{
          ...buildUtcDays("en"),
          kind: "area",
          points,
          formatValue: String,
          min: 90,
          max: 100,
          floor: { value: 95, label: "At least 95%" },
          limit: { value: 100, label: "At most 100%" },
        }}
      />
    </I18nextProvider>,
  );
  expect(screen.getByText("At least 95%").className).toBe("chart-floor");
  expect(screen.getByText("At most 100%").className).toBe("chart-limit");
});
