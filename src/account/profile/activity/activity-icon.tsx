import type { ActivityIcon } from "./activity-sentence.ts";

const PATHS: Readonly<Record<ActivityIcon, string>> = {
  enter: "M14 4h5v16h-5M4 12h10M10 8l4 4-4 4",
  leave: "M10 4H5v16h5M10 12h10M16 8l4 4-4 4",
  key: "M7.5 19.5a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM10.5 12.5 19 4M15 8l3 3",
  warning: "M12 4 2.5 20h19L12 4ZM12 10v4M12 17h.01",
  edit: "M4 20h4L19 9l-4-4L4 16v4ZM13 7l4 4",
  add: "M12 5v14M5 12h14",
  remove: "M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13",
  look: "M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12ZM12 14.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5Z",
};

/** Says nothing that the sentence beside it doesn't say. */
export function ActivityMark({ icon }: { icon: ActivityIcon }) {
  return (
    <svg className="activity-mark" data-icon={icon} viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[icon]} />
    </svg>
  );
}
