import { getAccountSession } from "./account-session.ts";

/** Ends the session here, in all tabs and on the server, and shows the log-in page (specification A 2.3). */
export async function signOut(): Promise<void> {
  await getAccountSession().signOut();
  const [prefix = ""] = /^\/(en|tr)(?=\/|$)/.exec(location.pathname) ?? [];
  location.assign(`${prefix}/login`);
}
