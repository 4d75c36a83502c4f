import { useCustom, useCustomMutation } from "@refinedev/core";
import { useState } from "react";
import {
  type MailSourceName,
  type MailSourcesAnswer,
  mailSourcesAnswer,
  type RETURN_TEST_TARGETS,
} from "#contract/mail/sources.ts";

const API = "/api/mail/sources/";
/** While a test mail is under way, or reports wait to be read. */
const POLL_MS = 2000;
/** Reports come within seconds, or not at all. */
const TEST_WAIT_MS = 5 * 60_000;
/** Refusals and links to open, which no event reports; the library pauses while nobody sees the page. */
const REFRESH_MS = 60_000;

export type ReturnTest = NonNullable<MailSourcesAnswer["test"]>;
export type ReturnTestTarget = (typeof RETURN_TEST_TARGETS)[number];

function isUnderWay(test: ReturnTest | null | undefined): test is ReturnTest {
  return test?.state === "queued" || test?.state === "waiting";
}

export type TestStep = ReturnTest["state"] | "over";

/** `startedMs`: by this page's clock, where the test was begun on it: two clocks may differ by more than the wait. */
export function toTestStep(test: ReturnTest, startedMs: number | undefined, nowMs: number): TestStep {
  const beganMs = startedMs ?? Date.parse(test.asked_at);
  return isUnderWay(test) && nowMs - beganMs >= TEST_WAIT_MS ? "over" : test.state;
}

/** Ways in, and the test of them. */
export function useMailSources() {
  const [startedMs, setStartedMs] = useState<number>();
  const { query } = useCustom<MailSourcesAnswer>({
    url: API,
    method: "get",
    queryOptions: {
      refetchInterval: ({ state }) => {
        const answer = mailSourcesAnswer.safeParse(state.data?.data).data;
        if (answer && answer.unread > 0) return POLL_MS;
        if (!answer?.test) return REFRESH_MS;
        const step = toTestStep(answer.test, startedMs, Date.now());
        return step === "queued" || step === "waiting" ? POLL_MS : REFRESH_MS;
      },
      select: ({ data }) => ({ data: mailSourcesAnswer.parse(data) }),
    },
    errorNotification: false,
  });
  const answer = query.data?.data;
  return {
    query,
    answer,
    step: answer?.test ? toTestStep(answer.test, startedMs, Date.now()) : undefined,
    onStart: () => setStartedMs(Date.now()),
  };
}

/** POSTs to one of the calls below `/api/mail/sources/`; notices are the caller's. */
export function useSourceCall() {
  const { mutateAsync, mutation } = useCustomMutation();
  const send = (
    path: "test/" | "confirmed/",
    values: { target: ReturnTestTarget } | { name: MailSourceName },
  ) =>
    mutateAsync({
      url: `${API}${path}`,
      method: "post",
      values,
      successNotification: false,
      errorNotification: false,
    });
  return { send, error: mutation.error, isPending: mutation.isPending };
}
