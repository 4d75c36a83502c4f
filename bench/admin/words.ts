/** Words that titles are made of: pronounceable, none inside another, the first ones frequent as in any language. */
const HEADS = ["ba", "cel", "dor", "fin", "gul", "har", "kes", "lam", "mer", "nov"];
const MIDDLES = ["ado", "ebi", "igu", "oma", "uke", "ari", "epo", "isu", "oli", "uta"];
const TAILS = ["n", "rt", "sk", "l", "zem", "x", "dir", "mek", "p", "vio"];

export const WORDS: readonly string[] = HEADS.flatMap((head) =>
  MIDDLES.flatMap((middle) => TAILS.map((tail) => head + middle + tail)),
);

/** Words of a search, from some hundred to some ten thousand hits in a million titles of three words each. */
export const SEARCH_TERMS: readonly string[] = [
  20, 45, 70, 95, 120, 170, 220, 270, 320, 370, 420, 470, 520, 570, 620, 670, 720, 780, 850, 930,
].map((place) => WORDS[place] ?? "");
