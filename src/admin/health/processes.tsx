import { useTranslation } from "react-i18next";
import type { HealthAnswer, ProcessFigures } from "#contract/health.ts";
import { FactsList } from "../ui/panel.tsx";
import { useMedia } from "../ui/viewport.ts";
import { useHealthText } from "./use-health-text.ts";

type Processes = NonNullable<HealthAnswer["processes"]>;

/** For seven columns beside the sidebar, in either language. */
const HAS_ROOM = "(min-width: 1024px)";

const COLUMNS = ["version", "uptime", "cpu", "eventLoop", "memory", "sockets"] as const;

/** What stands in each column, in their order. */
function useTexts(): (figures: ProcessFigures) => string[] {
  const text = useHealthText();
  return ({ version, uptime, cpu, event_loop, memory_usage, sockets }) => [
    version,
    text.duration(uptime),
    text.share(cpu),
    text.share(event_loop),
    text.bytes(memory_usage),
    text.count(sockets),
  ];
}

function ProcessTable({ processes }: { processes: Processes }) {
  const { t } = useTranslation();
  const toTexts = useTexts();
  return (
    <table className="health-processes">
      <thead>
        <tr>
          <th scope="col">{t("health.processes.name")}</th>
          {COLUMNS.map((name) => (
            <th key={name} scope="col">
              {t(`health.processes.${name}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {processes.map(({ name, figures }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            {figures ? (
              toTexts(figures).map((text, index) => <td key={COLUMNS[index]}>{text}</td>)
            ) : (
              <td colSpan={COLUMNS.length}>{t("health.processes.silent")}</td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function ProcessCards({ processes }: { processes: Processes }) {
  const { t } = useTranslation();
  const toTexts = useTexts();
  const toFacts = (figures: ProcessFigures) =>
    toTexts(figures).map((text, index): [string, string] => [
      t(`health.processes.${COLUMNS[index] ?? "version"}`),
      text,
    ]);
  return (
    <ul className="health-cards metric-cards">
      {processes.map(({ name, figures }) => (
        <li key={name} className="health-card">
          <h3>{name}</h3>
          {figures ? <FactsList facts={toFacts(figures)} /> : <p>{t("health.processes.silent")}</p>}
        </li>
      ))}
    </ul>
  );
}

/** Each process of a site that has several. */
export function ProcessesPart({ processes = [] }: { processes: HealthAnswer["processes"] }) {
  const { t } = useTranslation();
  const hasRoom = useMedia(HAS_ROOM);
  if (processes.length < 2) return null;
  return (
    <section aria-label={t("health.processes.title")}>
      <h2>{t("health.processes.title")}</h2>
      {hasRoom ? <ProcessTable processes={processes} /> : <ProcessCards processes={processes} />}
    </section>
  );
}
