/** A file of the console that could not be fetched: no connection, or a new version has replaced it on the server. */
export class MissingFileError extends Error {
  constructor(cause: unknown) {
    super("A file of the console could not be fetched", { cause });
    this.name = "MissingFileError";
  }
}

/** Fetches a part of the console. @throws MissingFileError: browsers have no name for it, and each its own words. */
export async function loadFile<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    throw new MissingFileError(cause);
  }
}
