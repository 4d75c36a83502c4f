import { loginAnswer } from "#contract/accounts/accounts.ts";
import { insertAccount } from "#server/accounts/store.ts";
import { until } from "#test/until.ts";
import type { ClusterSite, SiteProcess } from "./site.ts";

/** Of all of them. */
export const PASSWORD = "Correct-Horse-Battery-9";

/** Somebody who is signed in. */
export interface Member {
  userId: number;
  token: string;
  refresh: string;
  headers: Record<string, string>;
}

/** @throws Error with what was answered, where it isn't 2xx */
export async function call<Answer = unknown>(
  { url }: Pick<SiteProcess, "url">,
  method: string,
  path: string,
  { body, headers = {} }: { body?: unknown; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const answer = await fetch(url + path, {
    method,
    headers: { ...headers, ...(body !== undefined && { "content-type": "application/json" }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return (text === "" ? undefined : JSON.parse(text)) as Answer; // the caller names what it asked for
}

export const toMember = (answer: unknown): Member => {
  const { tokens, user } = loginAnswer.parse(answer);
  return {
    userId: user.id,
    token: tokens.access_token,
    refresh: tokens.refresh_token,
    headers: { authorization: `Bearer ${tokens.access_token}` },
  };
};

/** The site's owner, by the link that the first process printed. */
export async function becomeOwner(first: Pick<SiteProcess, "url" | "output">): Promise<Member> {
  await until(() => first.output.includes("/setup#"));
  const token = /\/setup#([\w-]+)/.exec(first.output)?.[1];
  const names = { username: "owner", email: "owner@example.org" };
  const body = { ...names, token, password: PASSWORD, password_confirm: PASSWORD };
  return toMember(await call(first, "POST", "/api/users/setup/", { body }));
}

/** People of a level, each signed in at the process that `choose` names. */
export async function addMembers(
  { pool }: ClusterSite,
  names: readonly string[],
  level: number,
  choose: (index: number) => SiteProcess,
): Promise<Member[]> {
  const { rows } = await pool.query<{ hash: string }>(
    "SELECT password_hash AS hash FROM account_user WHERE username = 'owner'",
  );
  const passwordHash = rows[0]?.hash ?? "";
  const members: Member[] = [];
  for (const [index, username] of names.entries()) {
    await insertAccount(pool, { username, email: `${username}@example.org`, passwordHash, level });
    const body = { username, password: PASSWORD };
    members.push(toMember(await call(choose(index), "POST", "/api/users/login/", { body })));
  }
  return members;
}
