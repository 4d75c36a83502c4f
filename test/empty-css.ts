/** Stands for a style sheet, for its text and for its address. */
export default "/* none */";
