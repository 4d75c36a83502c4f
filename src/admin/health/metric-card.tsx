import type { ReactNode } from "react";

interface MetricCardProps {
  title: string;
  value: string;
  help: string;
  /** The figure's trend, where it has one. */
  children?: ReactNode;
}

export function MetricCard({ title, value, help, children }: MetricCardProps) {
  return (
    <li className="health-card">
      <h3>{title}</h3>
      <p className="metric-value">{value}</p>
      <p>{help}</p>
      {children}
    </li>
  );
}
