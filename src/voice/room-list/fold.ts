/** Text as a search compares it: without case and marks, and with one i for i, İ, ı and I, as in both languages. */
export function fold(text: string): string {
  return text.replace(/[İIı]/g, "i").normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}
