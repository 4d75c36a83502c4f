import { relative } from "node:path";
import { ROOT } from "../paths.mjs";
import { openProgress } from "../progress.mjs";

const toName = ({ location, title }) => `${relative(ROOT, location.file)}: ${title}`;

/** Playwright's reporter for `openProgress`. */
export default class PlaywrightProgress {
  #progress = openProgress("tests");

  onBegin(_config, suite) {
    this.#progress.begin(suite.allTests().length);
  }

  onTestBegin(test) {
    this.#progress.start(toName(test));
  }

  onTestEnd(test) {
    this.#progress.end(toName(test));
  }
}
