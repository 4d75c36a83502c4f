/** Where the refresh token lies; the access token never leaves the memory of its page. */
export const REFRESH_TOKEN_KEY = "refresh_token";
/** What is remembered of the signed-in person (providers/http/auth-state.ts). */
export const AUTH_STATE_KEY = "auth_state";
