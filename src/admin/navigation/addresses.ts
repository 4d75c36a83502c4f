/** The number in an address, or NaN: `5` and nothing like `0x5` or `5e0`, so that a record has one address. */
export function toId(text: string | undefined): number {
  return text !== undefined && /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
}
