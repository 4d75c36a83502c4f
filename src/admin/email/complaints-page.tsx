import { buildComplaintsSource, COMPLAINT_MODEL } from "#resources/email-complaints.ts";
import { COMPLAINT_CELLS, TriagePage } from "./triage-page.tsx";

/** `/admin/email-complaints` */
export function ComplaintsPage() {
  return <TriagePage model={COMPLAINT_MODEL} build={buildComplaintsSource} cells={COMPLAINT_CELLS} />;
}
