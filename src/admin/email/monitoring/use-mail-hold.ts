import { useCustom, useCustomMutation } from "@refinedev/core";
import { ACCESS_LEVEL } from "#contract/access-levels.ts";
import { type MailHoldAnswer, mailHoldAnswer } from "#contract/mail-hold.ts";
import { MAIL_MODEL } from "#resources/email-monitoring.ts";
import { useServices } from "../../services.ts";

const HOLD_API = "/api/mail/hold/";
/** An alarm has to be seen within a minute; the library pauses while nobody sees the page. */
const HOLD_REFRESH_MS = 30_000;

/** Alarms that nobody released, for those who may see mail. */
export function useMailHold() {
  const { permissions } = useServices();
  const { query } = useCustom<MailHoldAnswer>({
    url: HOLD_API,
    method: "get",
    queryOptions: {
      enabled: permissions.accessLevel >= ACCESS_LEVEL.admin && permissions.can("view", MAIL_MODEL),
      refetchInterval: HOLD_REFRESH_MS,
      select: ({ data }) => ({ data: mailHoldAnswer.parse(data) }),
    },
    errorNotification: false,
  });
  return { query, hold: query.data?.data };
}

/** Lets go what waits, and ends the alarms. */
export function useRelease() {
  const { mutateAsync, mutation } = useCustomMutation();
  const release = () =>
    mutateAsync({
      url: `${HOLD_API}release/`,
      method: "post",
      values: {},
      successNotification: false,
      errorNotification: false,
    });
  return { release, error: mutation.error, isPending: mutation.isPending };
}
