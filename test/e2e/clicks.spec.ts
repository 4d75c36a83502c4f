import { type Browser, expect, test } from "@playwright/test";
import { toLine } from "./clicks/faults.ts";
import { tryAll } from "./clicks/try-all.ts";
import { Site } from "./site.ts";

/** Forms and dialogs of each kind; `npm run bench:clicks` tries every screen, in more rhythms and on a slow processor. */
const SCREENS = ["contact", "forgot-password", "access-levels", "record-filled"];

let site: Site;

// One site lists what screens there are; what is pressed is on sites of the trial's own.
test.describe.configure({ mode: "default" });
test.beforeAll(async () => {
  site = await Site.startPrepared();
});
test.afterAll(async () => {
  await site?.remove();
});

/** A browser of the trial's own, like the one that Playwright has started. */
const openLike = (browser: Browser) => () => browser.browserType().launch();

for (const screen of SCREENS) {
  test(`two quick clicks on any control of ${screen} do one thing, which can be left`, async ({
    browser,
  }) => {
    let presses = 0;
    const faults = await tryAll(openLike(browser), {
      url: site.url,
      rhythms: ["100 ms"],
      slowdown: 1,
      isFrameLeftOut: true,
      isWanted: ({ name }) => name === screen,
      onScreen(_name, tried) {
        presses += tried;
      },
    });
    expect(faults.map(toLine)).toEqual([]);
    expect(presses).toBeGreaterThan(0);
  });
}
