interface StepButtonProps {
  to: "previous" | "next";
  label: string;
  /** There is nothing further. The button keeps the focus, so that the keyboard isn't thrown to the page's beginning. */
  isAtEnd: boolean;
  onStep: () => void;
}

/** An arrow to the slide or certificate before or after. */
export function StepButton({ to, label, isAtEnd, onStep }: StepButtonProps) {
  return (
    <button
      type="button"
      className="step-button"
      aria-label={label}
      aria-disabled={isAtEnd}
      data-replay=""
      onClick={isAtEnd ? undefined : onStep}
    >
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path d={to === "previous" ? "M14.5 5.5 8 12l6.5 6.5" : "M9.5 5.5 16 12l-6.5 6.5"} />
      </svg>
    </button>
  );
}
