import type { AccountMails } from "./read-outbox.ts";
import type { Registration } from "./register.ts";
import type { SinkCopy } from "./sink.ts";

/** A receipt that was written this shortly before the connection went may not have been read, or not been recorded. */
const UNREAD_RECEIPT_MS = 250;

export interface Verdict {
  answered: number;
  accounts: number;
  copies: number;
  /** Connections that went between the end of a message and its 250. */
  cutBeforeReceipt: number;
  /** Second copies after such a cut. */
  repeatedAfterCut: number;
  /** Second copies of a message whose 250 was written in the last moments of the process. */
  repeatedAfterUnreadReceipt: number;
  /** What must not be. */
  faults: string[];
}

function groupBy<Item>(items: readonly Item[], toKey: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) groups.set(toKey(item), [...(groups.get(toKey(item)) ?? []), item]);
  return groups;
}

/** Every answer was kept, and every account has its one mail, sent and accepted. */
function findLost(
  registrations: readonly Registration[],
  accounts: readonly AccountMails[],
  accepted: ReadonlySet<string>,
): string[] {
  const names = new Set(accounts.map(({ username }) => username));
  return [
    ...registrations
      .filter(({ status }) => status !== undefined && status !== 201)
      .map(({ username, status }) => `${username}: answered ${status}`),
    ...registrations
      .filter(({ username, status }) => status === 201 && !names.has(username))
      .map(({ username }) => `${username}: answered 201 and is not there`),
    ...accounts
      .filter(({ mails }) => mails.length !== 1)
      .map(({ username, mails }) => `${username}: ${mails.length} mails in the outbox`),
    ...accounts.flatMap(({ username, mails }) =>
      mails
        .filter(({ status, message_id }) => status !== "sent" || !accepted.has(message_id))
        .map(
          ({ status, response }) => `${username}: its mail is ${status} (${response}), or was never accepted`,
        ),
    ),
  ];
}

/** Nobody got two messages or two codes. */
function findConfusing(copies: readonly SinkCopy[]): string[] {
  return [...groupBy(copies, (copy) => copy.recipient)].flatMap(([recipient, group]) => [
    ...(new Set(group.map(({ messageId }) => messageId)).size > 1 ? [`${recipient}: two Message-IDs`] : []),
    ...(new Set(group.map(({ code }) => code)).size > 1 ? [`${recipient}: two codes`] : []),
    ...(group.some(({ code }) => code === "") ? [`${recipient}: a mail without a code`] : []),
  ]);
}

/** Why a copy was followed by another one. */
function explainRepeat({ acceptedAt, closedAt }: SinkCopy): "cut" | "unread receipt" | "no reason" {
  if (closedAt === null) return "no reason";
  if (acceptedAt === null) return "cut";
  return closedAt - acceptedAt <= UNREAD_RECEIPT_MS ? "unread receipt" : "no reason";
}

/** Compares what was answered, what the database holds and what the sink got. */
export function judge(
  registrations: readonly Registration[],
  accounts: readonly AccountMails[],
  copies: readonly SinkCopy[],
): Verdict {
  const accepted = new Set(
    copies.filter(({ acceptedAt }) => acceptedAt !== null).map(({ messageId }) => messageId),
  );
  const repeated = [...groupBy(copies, ({ messageId }) => messageId).values()].flatMap((group) =>
    group.slice(0, -1),
  );
  const count = (reason: ReturnType<typeof explainRepeat>) =>
    repeated.filter((copy) => explainRepeat(copy) === reason).length;
  const cutBeforeReceipt = copies.filter(
    ({ acceptedAt, closedAt }) => acceptedAt === null && closedAt !== null,
  ).length;
  return {
    answered: registrations.filter(({ status }) => status === 201).length,
    accounts: accounts.length,
    copies: copies.length,
    cutBeforeReceipt,
    repeatedAfterCut: count("cut"),
    repeatedAfterUnreadReceipt: count("unread receipt"),
    faults: [
      // Without one nothing was tried: so it is with few rounds.
      ...(cutBeforeReceipt === 0 ? ["no kill came between the end of a message and its 250"] : []),
      ...findLost(registrations, accounts, accepted),
      ...findConfusing(copies),
      ...repeated
        .filter((copy) => explainRepeat(copy) === "no reason")
        .map(({ messageId }) => `${messageId}: sent again though its receipt was read`),
    ],
  };
}
