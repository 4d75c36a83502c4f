import type { Cv } from "#contract/site/cv.ts";
import { usePage } from "../../ui/page-context.tsx";
import { Carousel } from "./carousel/carousel.tsx";

type Tool = Cv["confidences"][number];

/** A tool's icon; without one, its first letter in the same place. */
function ToolIcon({ icon, label }: Pick<Tool, "icon" | "label">) {
  const { lang } = usePage();
  if (icon) return <img src={icon} alt="" width="40" height="40" loading="lazy" decoding="async" />;
  return (
    <span className="tool-letter" aria-hidden="true">
      {[...label][0]?.toLocaleUpperCase(lang)}
    </span>
  );
}

/** What the person works with, four or three a slide. */
export function Tools({ tools }: { tools: readonly Tool[] }) {
  const { t } = usePage();
  return (
    <Carousel title={t("site:cv.tools")} perSlide={{ wide: 4, narrow: 3 }} isStill>
      {tools.map(({ id, label, icon }) => (
        <li key={id}>
          <span className="tool">
            <ToolIcon icon={icon} label={label} />
            {label}
          </span>
        </li>
      ))}
    </Carousel>
  );
}
