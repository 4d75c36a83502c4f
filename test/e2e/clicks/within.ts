/** A browser that has hung answers no call and rejects none. */
export class NoAnswer extends Error {
  override name = "NoAnswer";
}

/** @throws NoAnswer when the work has not ended by then; it goes on unheeded, until its browser is closed. */
export async function within<T>(limitMs: number, what: string, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new NoAnswer(`no answer to “${what}” for ${limitMs / 1000} s`)), limitMs);
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}
