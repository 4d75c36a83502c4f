import { BOUNCE_MODEL, buildBouncesSource } from "#resources/email-bounces.ts";
import { ListPage } from "../views/list/list-page.tsx";
import { AlarmBanner } from "./monitoring/alarm-banner.tsx";
import { BOUNCE_CELLS } from "./triage-cells.tsx";
import { useTriageSource } from "./use-triage-source.ts";

/** `/admin/email-bounces` (specification B section 2): the generic list over the documented endpoint. */
export function BouncesPage() {
  const model = useTriageSource(BOUNCE_MODEL, buildBouncesSource);
  return (
    <>
      <AlarmBanner isShort />
      <ListPage model={model} cells={BOUNCE_CELLS} />
    </>
  );
}
