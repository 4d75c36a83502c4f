/**
 * First characters that make spreadsheets calculate a cell. Those of East Asia take the full-width signs as well; a bar begins
 * what older ones hand over to other programs.
 */
export const FORMULA_STARTS: ReadonlySet<string> = new Set("=+-@|＝＋－＠｜\t\n\r");
