/** Without a terminal a long step says that it still lives this often. */
const HEARTBEAT_MS = 15_000;

const toSeconds = (ms) => `${(ms / 1000).toFixed(ms < 9950 ? 1 : 0)} s`;

function drawOnTerminal(label, out, elapsed) {
  const draw = () => out.write(`\r\x1b[K${label} … ${toSeconds(elapsed())}`);
  draw();
  const timer = setInterval(draw, 1000);
  return (mark) => {
    clearInterval(timer);
    out.write(`\r\x1b[K${mark} ${label} (${toSeconds(elapsed())})\n`);
  };
}

function writeLines(label, out, elapsed) {
  out.write(`… ${label}\n`);
  const timer = setInterval(() => out.write(`… ${label}, ${toSeconds(elapsed())} so far\n`), HEARTBEAT_MS);
  return (mark) => {
    clearInterval(timer);
    out.write(`${mark} ${label} (${toSeconds(elapsed())})\n`);
  };
}

/**
 * Runs one named piece of work and shows how long it takes: one line that counts in a terminal, plain lines elsewhere.
 * Progress goes to stderr, so that a command's own output can be piped.
 */
export async function runStep(label, work, out = process.stderr) {
  const startedAt = performance.now();
  const elapsed = () => performance.now() - startedAt;
  const finish = out.isTTY ? drawOnTerminal(label, out, elapsed) : writeLines(label, out, elapsed);
  try {
    const result = await work();
    finish("✓");
    return result;
  } catch (error) {
    finish("✗");
    throw error;
  }
}
