const GROUPS = 3;
const GROUP_BYTES = 2;

/**
 * Twelve digits over the fingerprints of everybody's certificate: equal on all screens exactly where no connection has
 * somebody in between. Forty bits of SHA-256, of which ten thousand values a group are said aloud.
 */
export async function buildSafetyCode(fingerprints: readonly string[]): Promise<string> {
  const text = [...new Set(fingerprints)].sort().join("\n");
  const digest = new DataView(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  const groups = Array.from({ length: GROUPS }, (_, index) => {
    // Four bytes for four digits: the remainder then favours none.
    const value = digest.getUint32(index * 2 * GROUP_BYTES) % 10_000;
    return String(value).padStart(4, "0");
  });
  return groups.join(" ");
}
