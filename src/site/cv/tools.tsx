import type { Cv } from "#contract/cv.ts";

/** What the person works with: names in a row, with an icon where there is one. */
export function Tools({ tools }: { tools: Cv["confidences"] }) {
  return (
    <ul className="tools">
      {tools.map(({ id, label, icon }) => (
        <li key={id}>
          {icon && <img src={icon} alt="" width="24" height="24" loading="lazy" />}
          {label}
        </li>
      ))}
    </ul>
  );
}
