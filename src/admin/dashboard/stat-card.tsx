import type { ReactNode } from "react";
import { Link } from "react-router";

interface StatCardProps {
  icon: ReactNode;
  label: string;
  value: string;
  /** Screen that shows what is counted. */
  to: string;
  children: ReactNode;
}

/** One figure. The label is the link, and the whole card its target. */
export function StatCard({ icon, label, value, to, children }: StatCardProps) {
  return (
    <li className="stat-card">
      <span className="stat-icon">{icon}</span>
      <h2 className="stat-label">
        <Link to={to}>{label}</Link>
      </h2>
      <p className="stat-value">{value}</p>
      <div className="stat-help">{children}</div>
    </li>
  );
}
