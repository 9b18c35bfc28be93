/** A label as it stands beside an issue: its name on its color; a scope and its value in two parts. */
import type { CSSProperties } from "react";
import styles from "./label-chip.module.css";
import { inkOn, partsOf } from "./label-look.ts";

export interface LabelChipProps {
  name: string;
  /** Six hexadecimal digits. */
  color: string;
  /** Shown on hover. */
  description?: string;
}

export function LabelChip({ name, color, description }: LabelChipProps) {
  const [scope, rest] = partsOf(name);
  const look = { "--label": `#${color}`, "--label-ink": inkOn(color) } as CSSProperties;
  return (
    <span className={styles.chip} style={look} title={description || undefined}>
      {scope === null ? null : (
        <span className={styles.colored}>
          {scope}
          <span className="visually-hidden">::</span>
        </span>
      )}
      <span className={scope === null ? styles.colored : styles.value}>{rest}</span>
    </span>
  );
}
