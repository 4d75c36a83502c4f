/** A fault whose message is all that the reader needs: `runMain` prints it without a stack. */
export class Fault extends Error {}

/** Runs a command's main function; its result is the exit code. */
export async function runMain(main) {
  try {
    process.exitCode = await main();
  } catch (error) {
    process.stderr.write(`${error instanceof Fault ? error.message : error.stack}\n`);
    process.exitCode = 1;
  }
}
