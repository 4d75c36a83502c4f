import { createContext } from "react";

/** Numbers of the rows that the list beneath a drawer shows, in its order. */
export const ShownRowsContext = createContext<readonly number[]>([]);
