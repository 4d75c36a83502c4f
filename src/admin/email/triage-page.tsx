import { HistoryOutlined } from "@ant-design/icons";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { TIMELINE_PATH } from "#resources/email-timeline.ts";
import type { TriageParts } from "#resources/email-triage.ts";
import type { RecordSource } from "#resources/record-source.ts";
import { useServices } from "../services.ts";
import { DECORATIVE } from "../ui/accessibility.ts";
import type { RowCells } from "../views/list/columns/columns.ts";
import { ListPage } from "../views/list/list-page.tsx";
import type { RecordPartProps, RecordParts } from "../views/state/list-context.ts";
import { AlarmBanner } from "./monitoring/alarm-banner.tsx";
import { RecipientTimeline } from "./recipient-timeline.tsx";
import { TriageHead } from "./triage-head.tsx";

interface TriagePageProps {
  /** Name of the content model behind the list. */
  model: string;
  /** Always the same function. */
  build: (parts: TriageParts) => RecordSource;
  cells: RowCells;
}

/** The list for the person who is signed in. */
function useTriageSource({ model, build }: Pick<TriagePageProps, "model" | "build">): RecordSource {
  const { t } = useTranslation();
  const { permissions } = useServices();
  return useMemo(() => {
    const findModel: TriageParts["findModel"] = (name) =>
      permissions.can("view", name) ? permissions.findContentType?.(name) : undefined;
    return build({ t, canView: permissions.can("view", model), findModel });
  }, [build, t, permissions, model]);
}

/** All mails to the address of a row. */
function TimelinePanel({ record: { email_address: email } }: RecordPartProps) {
  return typeof email === "string" && email !== "" ? <RecipientTimeline key={email} email={email} /> : null;
}

/** A list of the e-mail triage (specification B section 2): the generic list over the documented endpoint, and a timeline. */
export function TriagePage({ model, build, cells }: TriagePageProps) {
  const { t } = useTranslation();
  const source = useTriageSource({ model, build });
  const parts = useMemo<RecordParts>(
    () => ({
      Head: TriageHead,
      tabs: [{ name: "timeline", label: t("emailTimeline.tab"), Panel: TimelinePanel }],
    }),
    [t],
  );
  const lookUp = (
    <Link className="button-link" to={TIMELINE_PATH}>
      <HistoryOutlined {...DECORATIVE} /> {t("emailTimeline.open")}
    </Link>
  );
  return (
    <>
      <AlarmBanner isShort />
      <ListPage model={source} cells={cells} recordParts={parts} actions={lookUp} />
    </>
  );
}
