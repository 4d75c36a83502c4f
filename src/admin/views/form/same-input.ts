/** Whether two values of an input are the same to whoever looks at it. */
export function isSameInput(a: unknown, b: unknown): boolean {
  return JSON.stringify(a ?? null) === JSON.stringify(b ?? null);
}
