/** What `@jest/globals` exports, for tests that run in plain Node: the light runner puts it on globalThis. */
const { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest, test } =
  globalThis as unknown as typeof import("@jest/globals");

export { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest, test };
