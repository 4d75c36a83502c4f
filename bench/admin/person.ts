/** Who logs in on a site of bench/admin/open-bench.ts. */
export const PERSON = { username: "bench", password: "Correct-Horse-1" };
