/** How an item stands, as a coloured word with a mark. */
import { CircleCheck, CircleDot, CircleSlash } from "lucide-react";
import type { ReactNode } from "react";
import styles from "./state-badge.module.css";

export type StateTone = "open" | "done" | "dropped" | "draft" | "refused";

export function StateBadge({
  tone,
  icon,
  children,
}: {
  tone: StateTone;
  icon: ReactNode;
  children: ReactNode;
}) {
  return (
    <span className={`${styles.badge} ${styles[tone]}`}>
      {icon}
      {children}
    </span>
  );
}

/** The mark alone, for rows; `label` is for screen readers. */
export function StateMark({ tone, icon, label }: { tone: StateTone; icon: ReactNode; label: string }) {
  return (
    <span className={`${styles.mark} ${styles[tone]}`} title={label}>
      {icon}
      <span className="visually-hidden">{label}</span>
    </span>
  );
}

interface IssueStanding {
  state: "open" | "closed";
  state_reason: "completed" | "not_planned" | "duplicate" | null;
}

export function issueTone({ state, state_reason: reason }: IssueStanding): StateTone {
  if (state === "open") return "open";
  return reason === "not_planned" || reason === "duplicate" ? "dropped" : "done";
}

export function IssueIcon({ issue, size = 16 }: { issue: IssueStanding; size?: number }) {
  const icons = {
    open: CircleDot,
    done: CircleCheck,
    dropped: CircleSlash,
    draft: CircleDot,
    refused: CircleSlash,
  };
  const Icon = icons[issueTone(issue)];
  return <Icon size={size} aria-hidden />;
}
