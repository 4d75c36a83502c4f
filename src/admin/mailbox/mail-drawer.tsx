import { Drawer } from "antd";
import { useTranslation } from "react-i18next";
import { useLocation, useNavigate, useParams } from "react-router";
import { mailboxResource } from "#resources/mailbox.ts";
import { ErrorState } from "../parts/error-state.tsx";
import { FormSkeleton } from "../parts/skeletons.tsx";
import { useReturnedFocus } from "../parts/use-returned-focus.ts";
import { useStepBack } from "../parts/use-step-back.ts";
import { isOpenedFromList } from "../views/state/list-context.ts";
import { MailView } from "./mail-view.tsx";
import { useMail } from "./use-mailbox.ts";

function MailBody({ query, mail }: ReturnType<typeof useMail>) {
  const { t } = useTranslation();
  if (query.isError) {
    return (
      <ErrorState title={t("errors.loadMail")} error={query.error} onRetry={() => void query.refetch()} />
    );
  }
  return mail ? <MailView mail={mail} /> : <FormSkeleton />;
}

/** `/admin/mailbox/:file`, over the list. */
export function MailDrawer() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const stepBack = useStepBack();
  const { state } = useLocation();
  const loaded = useMail(useParams().file ?? "");
  useReturnedFocus();
  const close = () => {
    if (isOpenedFromList(state)) stepBack();
    else void navigate(mailboxResource.list, { replace: true });
  };
  return (
    <Drawer
      open
      title={loaded.mail?.subject ?? t("mailbox.mail")}
      width="min(760px, 100%)"
      onClose={close}
      closable={{ "aria-label": t("actions.close") }}
    >
      <MailBody {...loaded} />
    </Drawer>
  );
}
