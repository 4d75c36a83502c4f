import type { ContactDraft } from "#contract/site/contact.ts";
import { usePage } from "../../ui/page-context.tsx";
import { TextArea } from "../../ui/text-area.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { ToastRegion } from "../../ui/toast.tsx";
import { MessageCounter } from "./message-counter.tsx";
import { toToast } from "./send-state.ts";
import { TrapField } from "./trap-field.tsx";
import { type ContactServices, useContactForm } from "./use-contact-form.ts";

interface ContactFormProps {
  /** What a post without JavaScript left in the form. */
  draft: ContactDraft | null;
  services: ContactServices;
}

/** The form. Without scripts it is posted to the same address, and the answer is this page again. */
export function ContactForm({ draft, services }: ContactFormProps) {
  const { prefix, t } = usePage();
  const { formRef, state, errors, count, isLoading, isUntried, canSubmit, closeToast, handlers } =
    useContactForm(draft, services);
  const hasErrors = Object.keys(errors).length > 0;
  const refusal = draft?.error ?? (draft && hasErrors ? t("contact:form.faulty") : null);
  return (
    <>
      <ToastRegion toast={toToast(state, t)} closeLabel={t("contact:toast.close")} onClose={closeToast} />
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
            readOnly={isLoading}
            required
          />
          <TextField
            label={t("contact:form.email")}
            error={errors.email}
            name="email"
            type="email"
            autoComplete="email"
            defaultValue={draft?.values.email}
            readOnly={isLoading}
            required
          />
        </div>
        <TextField
          label={t("contact:form.subject")}
          error={errors.subject}
          name="subject"
          defaultValue={draft?.values.subject}
          readOnly={isLoading}
          required
        />
        <TextArea
          label={t("contact:form.message")}
          error={errors.message}
          note={<MessageCounter count={count} />}
          name="message"
          rows={7}
          defaultValue={draft?.values.message}
          readOnly={isLoading}
          required
        />
        <TrapField />
        <button className="button" type="submit" disabled={!canSubmit}>
          {isLoading ? t("contact:form.sending") : t("contact:form.submit")}
        </button>
      </form>
    </>
  );
}
