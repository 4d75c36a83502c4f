import { BOUNCE_MODEL, buildBouncesSource } from "#resources/email-bounces.ts";
import { BOUNCE_CELLS, TriagePage } from "./triage-page.tsx";

/** `/admin/email-bounces` */
export function BouncesPage() {
  return <TriagePage model={BOUNCE_MODEL} build={buildBouncesSource} cells={BOUNCE_CELLS} />;
}
