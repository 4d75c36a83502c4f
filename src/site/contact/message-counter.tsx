import { LIMITS } from "#contract/limits.ts";
import { usePage } from "../../ui/page-context.tsx";

type Level = "near" | "over";

function toLevel(count: number): Level | undefined {
  if (count > LIMITS.contactMessageMaxChars) return "over";
  return count > LIMITS.contactMessageNearChars ? "near" : undefined;
}

/** How long the message is, live. Words beside the number say when the end is near: colour alone would not do. */
export function MessageCounter({ count }: { count: number }) {
  const { t } = usePage();
  const level = toLevel(count);
  return (
    <div className="counter needs-script" data-level={level}>
      <span role="status">{level && t(`contact:form.${level}`)}</span>
      <span className="counter-number">{`${count}/${LIMITS.contactMessageMaxChars}`}</span>
    </div>
  );
}
