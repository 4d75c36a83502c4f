import { usePage } from "../../../ui/page-context.tsx";
import { useProfile } from "../profile-context.tsx";
import { toFullTime, toRelativeTime } from "./relative-time.ts";

/** How long ago something was; pointing at it tells the whole moment. */
export function Moment({ at }: { at: string }) {
  const { lang } = usePage();
  const { services } = useProfile();
  return (
    <time dateTime={at} title={toFullTime(at, lang)}>
      {toRelativeTime(at, services.now(), lang)}
    </time>
  );
}
