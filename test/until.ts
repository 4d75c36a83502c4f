import { setTimeout } from "node:timers/promises";

/** Ends a test that would hang. Nothing else is about time: a busy machine takes as long as it takes. */
const HANG_MS = 180_000;

/** Resolves once it is so. */
export async function until(isSo: () => unknown): Promise<void> {
  const end = performance.now() + HANG_MS;
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error(`this never came true: ${isSo}`);
    await setTimeout(5);
  }
}

/** The promise's own result, where it has one: for what would wait for ever if it were wrong. */
export async function orHang<Result>(promise: Promise<Result>): Promise<Result> {
  const over = new AbortController();
  const hang = setTimeout(HANG_MS, undefined, { signal: over.signal }).then(
    () => Promise.reject(new Error("this never ended")),
    () => promise,
  );
  try {
    return await Promise.race([promise, hang]);
  } finally {
    over.abort();
  }
}
