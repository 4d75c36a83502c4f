import { useId } from "react";
import { LIMITS } from "#contract/limits.ts";
import { CONTACT_TRAP, type ContactDraft } from "#contract/site/contact.ts";
import { type Page, usePage } from "../../ui/page-context.tsx";
import { TextArea } from "../../ui/text-area.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { type Toast, ToastRegion } from "../../ui/toast.tsx";
import type { ContactState } from "./contact-machine.ts";
import { type ContactServices, useContactForm } from "./use-contact-form.ts";

/** What is said of a message on its way. */
function toToast(state: ContactState, { site, t }: Pick<Page, "site" | "t">): Toast | null {
  switch (state.phase) {
    case "editing":
    case "sending":
      return null;
    case "sent":
      return { kind: "success", text: site.words.thanks ?? t("contact:toast.success") };
    case "refused":
      return { kind: "error", text: state.reason };
  }
}

type Level = "near" | "over";

function toLevel(count: number): Level | undefined {
  if (count > LIMITS.contactMessageMaxChars) return "over";
  return count > LIMITS.contactMessageNearChars ? "near" : undefined;
}

/** How long the message is, live. Words beside the number say when the end is near: colour alone would not do. */
function MessageCounter({ count }: { count: number }) {
  const { t } = usePage();
  const level = toLevel(count);
  return (
    <div className="counter needs-script" data-level={level}>
      <span role="status">{level && t(`contact:form.${level}`)}</span>
      <span className="counter-number">{`${count}/${LIMITS.contactMessageMaxChars}`}</span>
    </div>
  );
}

/** Programs fill in every field that they find. People don't find this one; the label is for those who do. */
export function TrapField() {
  const { t } = usePage();
  const id = useId();
  return (
    <div className="visually-hidden" aria-hidden="true">
      <label htmlFor={id}>{t("contact:form.trap")}</label>
      <input id={id} name={CONTACT_TRAP} type="text" tabIndex={-1} autoComplete="off" defaultValue="" />
    </div>
  );
}

interface ContactFormProps {
  /** What a post without JavaScript left in the form. */
  draft: ContactDraft | null;
  services: ContactServices;
}

/** The form. Without scripts it is posted to the same address, and the answer is this page again. */
export function ContactForm({ draft, services }: ContactFormProps) {
  const { prefix, site, t } = usePage();
  const { formRef, state, isSending, canSubmit, closeToast, handlers } = useContactForm(draft, services);
  const { errors, count, isUntried } = state.form;
  const hasErrors = Object.keys(errors).length > 0;
  const refusal = draft?.error ?? (draft && hasErrors ? t("contact:form.faulty") : null);
  return (
    <>
      <ToastRegion
        toast={toToast(state, { site, t })}
        closeLabel={t("contact:toast.close")}
        onClose={closeToast}
      />
      <form
        ref={formRef}
        className="contact-form"
        method="post"
        action={`${prefix}/contact`}
        aria-label={t("contact:form.label")}
        tabIndex={-1}
        noValidate
        {...handlers}
      >
        {refusal && isUntried && (
          <p className="alert" role="alert">
            {refusal}
          </p>
        )}
        <div className="contact-pair">
          <TextField
            label={t("contact:form.name")}
            error={errors.name}
            name="name"
            autoComplete="name"
            defaultValue={draft?.values.name}
            readOnly={isSending}
            required
          />
          <TextField
            label={t("contact:form.email")}
            error={errors.email}
            name="email"
            type="email"
            autoComplete="email"
            defaultValue={draft?.values.email}
            readOnly={isSending}
            required
          />
        </div>
        <TextField
          label={t("contact:form.subject")}
          error={errors.subject}
          name="subject"
          defaultValue={draft?.values.subject}
          readOnly={isSending}
          required
        />
        <TextArea
          label={t("contact:form.message")}
          error={errors.message}
          note={<MessageCounter count={count} />}
          name="message"
          rows={7}
          defaultValue={draft?.values.message}
          readOnly={isSending}
          required
        />
        <TrapField />
        <button className="button" type="submit" disabled={!canSubmit}>
          {isSending ? t("contact:form.sending") : t("contact:form.submit")}
        </button>
      </form>
    </>
  );
}
