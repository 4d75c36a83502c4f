import { buildComplaintsSource, COMPLAINT_MODEL } from "#resources/email-complaints.ts";
import { ListPage } from "../views/list/list-page.tsx";
import { AlarmBanner } from "./monitoring/alarm-banner.tsx";
import { COMPLAINT_CELLS } from "./triage-cells.tsx";
import { useTriageSource } from "./use-triage-source.ts";

/** `/admin/email-complaints` (specification B section 2): the generic list over the documented endpoint. */
export function ComplaintsPage() {
  const model = useTriageSource(COMPLAINT_MODEL, buildComplaintsSource);
  return (
    <>
      <AlarmBanner isShort />
      <ListPage model={model} cells={COMPLAINT_CELLS} />
    </>
  );
}
