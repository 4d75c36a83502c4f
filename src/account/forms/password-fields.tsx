interface IndicatorProps {
  /** Undefined: there is nothing to say yet. */
  isGood: boolean | undefined;
  good: string;
  bad: string;
}

/** Says in words and by a sign whether what is being typed fits; told politely when that changes. */
export function Indicator({ isGood, good, bad }: IndicatorProps) {
  return (
    <div className="indicator" role="status" data-good={isGood}>
      {isGood !== undefined && (
        <>
          <span aria-hidden="true">{isGood ? "✓ " : "○ "}</span>
          {isGood ? good : bad}
        </>
      )}
    </div>
  );
}
