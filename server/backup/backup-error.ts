/** A backup or a restore that can't be done. The message says what is wrong and what to do; it is meant for the terminal. */
export class BackupError extends Error {
  override name = "BackupError";
}
