import { type ComponentType, type ReactNode, useEffect, useState } from "react";
import { useVoiceText } from "../voice-context.tsx";

type Part<Props extends object> = ComponentType<Props>;

/** What has come of a part so far; a chunk is fetched once. */
interface Fetched<Props extends object> {
  fetch: () => Promise<void>;
  getPart: () => Part<Props> | undefined;
}

function fetchOnce<Props extends object>(load: () => Promise<Part<Props>>): Fetched<Props> {
  let part: Part<Props> | undefined;
  return {
    async fetch() {
      part ??= await load();
    },
    getPart: () => part,
  };
}

interface LazyPartProps<Props extends object> {
  fetched: Fetched<Props>;
  waiting: ReactNode;
  props: Props;
}

function LazyPart<Props extends object>({ fetched, waiting, props }: LazyPartProps<Props>) {
  const t = useVoiceText();
  const [tries, setTries] = useState(0);
  const [state, setState] = useState<"waiting" | "there" | "failed">("waiting");
  // biome-ignore lint/correctness/useExhaustiveDependencies: `tries` asks again
  useEffect(() => {
    let isLeft = false;
    const become = (next: "there" | "failed") => !isLeft && setState(next);
    fetched
      .fetch()
      .then(() => become("there"))
      .catch(() => become("failed"));
    return () => {
      isLeft = true;
    };
  }, [fetched, tries]);

  const Found = fetched.getPart();
  if (Found) return <Found {...props} />;
  if (state !== "failed") return waiting;
  return (
    <div className="voice-banner banner-fault" role="alert">
      <p>{t("voice:parts.partFailed")}</p>
      <button
        type="button"
        className="voice-button"
        onClick={() => {
          setState("waiting");
          setTries((count) => count + 1);
        }}
      >
        {t("voice:parts.retry")}
      </button>
    </div>
  );
}

/**
 * A part of a screen that comes with its first use, as a chunk of its own. Where it doesn't come, it says so in its place and
 * can be asked for again; React's own lazy would take the whole screen down, and the call with it.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<Part<Props>>,
  waiting: ReactNode = null,
): Part<Props> & { preload: () => void } {
  const fetched = fetchOnce(load);
  const draw = (props: Props) => <LazyPart fetched={fetched} waiting={waiting} props={props} />;
  // What doesn't come early is asked for again when it is needed, and says so then.
  return Object.assign(draw, { preload: () => void fetched.fetch().catch(() => undefined) });
}
