import { useCustom } from "@refinedev/core";
import { mailboxAnswer, mailboxMail } from "#contract/mail/messages.ts";

const API = "/api/mail/mailbox/";

/** The newest mails. Nothing notifies of new ones: whoever waits for one asks again. */
export function useMailbox() {
  const { query } = useCustom({
    url: API,
    method: "get",
    queryOptions: { select: ({ data }) => ({ data: mailboxAnswer.parse(data) }) },
    errorNotification: false,
  });
  return { query, mails: mailboxAnswer.safeParse(query.data?.data).data?.mails };
}

/** One mail. A file never changes. */
export function useMail(file: string) {
  const { query } = useCustom({
    url: `${API}${encodeURIComponent(file)}/`,
    method: "get",
    queryOptions: {
      staleTime: Number.POSITIVE_INFINITY,
      select: ({ data }) => ({ data: mailboxMail.parse(data) }),
    },
    errorNotification: false,
  });
  return { query, mail: mailboxMail.safeParse(query.data?.data).data };
}
