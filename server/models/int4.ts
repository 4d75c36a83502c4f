/** The highest number of PostgreSQL's `integer`: of ids, places and whole numbers. */
export const MAX_INT4 = 2_147_483_647;
