/** Sidebar breakpoint (specification B section 9), for whatever folds on a phone. The style sheets have the same number. */
export const WIDE = "(min-width: 768px)";
