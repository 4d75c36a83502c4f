/** Only a site in development has the mailbox, and its console comes from Vite: a build says false here, and drops the screen. */
export const HAS_MAILBOX = import.meta.env?.DEV !== false;
