import { relative } from "node:path";
import { ROOT } from "../paths.mjs";
import { openProgress } from "../progress.mjs";

/** Tests in plain Node have no time limit of their own. Nothing takes a tenth of this on a busy machine. */
const HANG_LIMIT_MS = 15 * 60_000;

/** Jest's reporter for `openProgress`. It also ends a run in which no file ends any more, and says which ones hang. */
export default class JestProgress {
  #progress = openProgress("files");
  #timer;

  onRunStart({ numTotalTestSuites }) {
    this.#progress.begin(numTotalTestSuites);
    this.#watch();
  }

  onTestFileStart({ path }) {
    this.#progress.start(relative(ROOT, path));
  }

  onTestFileResult({ path }) {
    this.#progress.end(relative(ROOT, path));
    this.#watch();
  }

  onRunComplete() {
    clearTimeout(this.#timer);
  }

  #watch() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      const minutes = HANG_LIMIT_MS / 60_000;
      const files = this.#progress.listRunning().join(", ");
      process.stderr.write(`No test file ended for ${minutes} minutes. Still running: ${files}\n`);
      process.exit(1);
    }, HANG_LIMIT_MS);
    this.#timer.unref();
  }
}
