export type ModelSize = "empty" | "low" | "medium" | "high";

/** Size badge of a model (specification B section 9): Empty 0, Low under 10, Medium under 100, High otherwise. */
export function toModelSize(count: number): ModelSize {
  if (count === 0) return "empty";
  if (count < 10) return "low";
  return count < 100 ? "medium" : "high";
}
