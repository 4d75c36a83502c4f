/** Without a terminal a long step says that it still lives this often. */
const HEARTBEAT_MS = 15_000;

const toSeconds = (ms) => `${(ms / 1000).toFixed(ms < 9950 ? 1 : 0)} s`;

/** Steps that are under way; a terminal shows all of them on one line. */
const running = new Set();

const toLine = ({ label, startedAt, detail }) =>
  `${label} … ${toSeconds(performance.now() - startedAt)}${detail ? `: ${detail}` : ""}`;

function drawOnTerminal(step, out) {
  const draw = () => {
    const line = [...running].map(toLine).join("  ·  ");
    out.write(`\r\x1b[K${line.slice(0, (out.columns ?? 80) - 1)}`);
  };
  draw();
  const timer = setInterval(draw, 1000);
  return (mark) => {
    clearInterval(timer);
    out.write(`\r\x1b[K${toEnd(step, mark)}`);
  };
}

function writeLines(step, out) {
  out.write(`… ${step.label}\n`);
  const timer = setInterval(() => out.write(`${toLine(step)}\n`), HEARTBEAT_MS);
  return (mark) => {
    clearInterval(timer);
    out.write(toEnd(step, mark));
  };
}

const toEnd = ({ label, startedAt }, mark) =>
  `${mark} ${label} (${toSeconds(performance.now() - startedAt)})\n`;

/**
 * Runs one named piece of work and shows how long it takes: one line that counts in a terminal, plain lines elsewhere.
 * `work` gets a function that tells what it is at. Progress goes to stderr, so that a command's own output can be piped.
 */
export async function runStep(label, work, out = process.stderr) {
  const step = { label, startedAt: performance.now(), detail: "" };
  running.add(step);
  const finish = out.isTTY ? drawOnTerminal(step, out) : writeLines(step, out);
  let mark = "✗";
  try {
    const result = await work((detail) => {
      step.detail = detail;
    });
    mark = "✓";
    return result;
  } finally {
    running.delete(step);
    finish(mark);
  }
}
