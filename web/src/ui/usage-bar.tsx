/** So much of so much: in words and, where there is a limit, as a bar that warns before it is full. */
import type { ReactNode } from "react";
import { text } from "../text/general.ts";
import styles from "./usage-bar.module.css";

const warnFrom = 0.8;

export interface UsageBarProps {
  label: string;
  used: number;
  /** Null: there is none. */
  limit: number | null;
  /** For example `formatBytes`. */
  format: (value: number) => string;
  hint?: ReactNode;
}

export function UsageBar({ label, used, limit, format, hint }: UsageBarProps) {
  const words =
    limit === null ? text.usedWithoutLimit(format(used)) : text.usedOf(format(used), format(limit));
  return (
    <div className={styles.use}>
      <div className={styles.words}>
        <span>{label}</span>
        <span className={styles.amount}>{words}</span>
      </div>
      {limit === null ? null : <Bar label={label} words={words} used={used} limit={limit} />}
      {hint ? <div className={styles.hint}>{hint}</div> : null}
    </div>
  );
}

function Bar(props: { label: string; words: string; used: number; limit: number }) {
  const { used, limit } = props;
  const share = limit > 0 ? Math.min(1, used / limit) : Number(used > 0);
  const tone = share >= 1 ? "full" : share >= warnFrom ? "warn" : "calm";
  return (
    <div
      className={styles.bar}
      role="meter"
      aria-label={props.label}
      aria-valuemin={0}
      aria-valuemax={Math.max(limit, used)}
      aria-valuenow={used}
      aria-valuetext={props.words}
    >
      <div className={styles[tone]} style={{ width: `${share * 100}%` }} />
    </div>
  );
}
