import "./email.css";
import { Button, Input } from "antd";
import { type FormEvent, Fragment, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router";
import { LIMITS } from "#contract/limits.ts";
import { TIMELINE_EMAIL } from "#resources/screens.ts";
import { PageHeader } from "../navigation/page-header.tsx";
import { EmptyState } from "../ui/states.tsx";
import { RecipientTimeline } from "./recipient-timeline.tsx";

const isAddress = (text: string) => /^[^@\s]+@[^@\s]+$/.test(text);

/** Asks whose mails to show. */
function AddressForm({ email, onAsk }: { email: string; onAsk: (email: string) => void }) {
  const { t } = useTranslation();
  const id = useId();
  const [text, setText] = useState(email);
  const [isFaulty, setFaulty] = useState(false);
  function submit(event: FormEvent): void {
    event.preventDefault();
    const typed = text.trim();
    setFaulty(!isAddress(typed));
    if (isAddress(typed)) onAsk(typed);
  }
  return (
    <form className="timeline-form" onSubmit={submit} noValidate>
      <label htmlFor={id}>{t("emailTimeline.address")}</label>
      <span className="timeline-form-row">
        <Input
          id={id}
          type="email"
          value={text}
          maxLength={LIMITS.emailMaxChars}
          status={isFaulty ? "error" : ""}
          aria-invalid={isFaulty}
          aria-describedby={isFaulty ? `${id}-fault` : undefined}
          onChange={(event) => setText(event.target.value)}
        />
        <Button type="primary" htmlType="submit">
          {t("emailTimeline.show")}
        </Button>
      </span>
      {isFaulty && (
        <p id={`${id}-fault`} className="timeline-fault" role="alert">
          {t("emailTimeline.invalid")}
        </p>
      )}
    </form>
  );
}

/** `/admin/email-timeline?email=`: all mails to an address, whether it has a bounce or an account or neither. */
export function TimelinePage() {
  const { t } = useTranslation();
  const [params, setParams] = useSearchParams();
  const email = params.get(TIMELINE_EMAIL) ?? "";
  return (
    <>
      <PageHeader title={t("emailTimeline.title")} text={t("emailTimeline.intro")} />
      <Fragment key={email}>
        <AddressForm email={email} onAsk={(next) => setParams({ [TIMELINE_EMAIL]: next })} />
        {email === "" ? (
          <EmptyState title={t("emailTimeline.ask")} text={t("emailTimeline.askHelp")} />
        ) : (
          <RecipientTimeline email={email} />
        )}
      </Fragment>
    </>
  );
}
