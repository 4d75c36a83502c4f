const GROUPS = 5;
/** Of one group: the remainder then favours none of its ten thousand values. */
const GROUP_BYTES = 4;
/** Each guess costs so many hashes: a twentieth of a second here, and years for who looks for two sets with one code. */
const ROUNDS = 100_000;

/**
 * Twenty digits over the fingerprints of everybody's certificate: equal on all screens where no connection has somebody in
 * between. Who sits there chooses both of their certificates, and would need some 2^33 of them, each put through PBKDF2, until
 * two sets give the same code.
 */
export async function buildSafetyCode(fingerprints: readonly string[]): Promise<string> {
  const encoder = new TextEncoder();
  const text = [...new Set(fingerprints)].sort().join("\n");
  const key = await crypto.subtle.importKey("raw", encoder.encode(text), "PBKDF2", false, ["deriveBits"]);
  const salt = encoder.encode("Foyer safety code");
  const settings = { name: "PBKDF2", hash: "SHA-256", salt, iterations: ROUNDS };
  const bits = new DataView(await crypto.subtle.deriveBits(settings, key, GROUPS * GROUP_BYTES * 8));
  const groups = Array.from({ length: GROUPS }, (_, index) =>
    String(bits.getUint32(index * GROUP_BYTES) % 10_000).padStart(4, "0"),
  );
  return groups.join(" ");
}
