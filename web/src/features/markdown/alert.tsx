/** A quotation that is to be noticed. */
import {
  Info,
  Lightbulb,
  MessageSquareWarning,
  OctagonAlert,
  TriangleAlert,
  type LucideIcon,
} from "lucide-react";
import type { ReactNode } from "react";
import type { AlertKind } from "@forgeline/markdown/alerts.ts";
import { text } from "../../text/markdown.ts";
import styles from "./markdown.module.css";

const icons: Record<AlertKind, LucideIcon> = {
  note: Info,
  tip: Lightbulb,
  important: MessageSquareWarning,
  warning: TriangleAlert,
  caution: OctagonAlert,
};

export function Alert({ kind, children }: { kind: AlertKind; children: ReactNode }) {
  const Icon = icons[kind];
  return (
    <div className={styles.alert} data-kind={kind}>
      <p className={styles.alertTitle}>
        <Icon size={16} aria-hidden />
        {text.alerts[kind]}
      </p>
      {children}
    </div>
  );
}
