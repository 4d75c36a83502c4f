import { useCallback, useRef } from "react";
import { usePage } from "../../ui/page-context.tsx";
import type { Call } from "../call/call.ts";
import { toStopPercent } from "../call/sound/level.ts";
import { useVoiceText } from "../voice-text.tsx";
import { setLevel, useLevels } from "./use-room.ts";

/** One's own level as a bar, with the marks where speaking starts and stops. */
export function LevelMeter({ call, startPercent }: { call: Call; startPercent: number }) {
  const t = useVoiceText();
  const { lang } = usePage();
  const bar = useRef<HTMLDivElement>(null);
  const text = useRef<HTMLSpanElement>(null);
  const stopPercent = toStopPercent(startPercent);
  const percent = new Intl.NumberFormat(lang, { style: "percent" });
  const draw = useCallback((levels: ReadonlyMap<string, number>) => {
    const level = levels.get("own") ?? 0;
    if (bar.current?.getAttribute("aria-valuenow") === String(level)) return;
    setLevel(bar.current, level);
    bar.current?.setAttribute("aria-valuenow", String(level));
    if (text.current)
      text.current.textContent = new Intl.NumberFormat(document.documentElement.lang, {
        style: "percent",
      }).format(level / 100);
  }, []);
  useLevels(call, draw);
  const mark = (at: number) => (element: HTMLElement | null) =>
    element?.style.setProperty("--at", String(at));
  return (
    <div className="level">
      {/* biome-ignore lint/a11y/useSemanticElements: a <meter> has no room for the two marks, and no style of its own */}
      <div
        ref={bar}
        className="level-bar"
        role="meter"
        aria-label={t("call:check.levelLabel")}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={0}
      >
        <span className="level-mark" ref={mark(startPercent)} />
        <span className="level-mark" ref={mark(stopPercent)} />
      </div>
      <p className="level-marks">
        <span>
          {t("call:audio.level")} <span ref={text}>{percent.format(0)}</span>
        </span>
        <span>{t("call:audio.stop", { percent: percent.format(stopPercent / 100) })}</span>
        <span>{t("call:audio.start", { percent: percent.format(startPercent / 100) })}</span>
      </p>
    </div>
  );
}
