/** First characters that make spreadsheets calculate a cell. */
export const FORMULA_STARTS: ReadonlySet<string> = new Set("=+-@\t\n\r");
