import type { ReactNode } from "react";

interface EmptyStateProps {
  title: string;
  /** Why it is empty, or what to do next. */
  text: string;
  action?: ReactNode;
}

export function EmptyState({ title, text, action }: EmptyStateProps) {
  return (
    <div className="state">
      <p className="state-title">{title}</p>
      <p>{text}</p>
      {action}
    </div>
  );
}
