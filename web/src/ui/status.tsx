/** The status of a run, stage, job or step: a mark whose form and colour differ, and the word. */
import {
  Ban,
  CircleCheck,
  CircleDashed,
  CircleDot,
  CircleSlash,
  CircleX,
  Clock,
  Loader,
  TriangleAlert,
} from "lucide-react";
import type { Schemas } from "@forgeline/client/schemas.ts";
import styles from "./status.module.css";

type Status = Schemas["Status"];

const marks: Partial<Record<string, typeof CircleCheck>> = {
  success: CircleCheck,
  failed: CircleX,
  error: TriangleAlert,
  cancelled: Ban,
  cancelling: Ban,
  skipped: CircleSlash,
  running: Loader,
  queued: Clock,
  waiting: CircleDashed,
};

/** `bare`: the mark alone, where the word stands beside it or would repeat itself; screen readers get it anyway. */
export function StatusMark({ status, bare = false }: { status: Status; bare?: boolean }) {
  const Mark = marks[status] ?? CircleDot;
  return (
    <span className={styles.status} data-status={status}>
      <Mark size={16} aria-hidden />
      <span className={bare ? "visually-hidden" : ""}>{statusWord(status)}</span>
    </span>
  );
}

export function statusWord(status: Status): string {
  return status.replaceAll("_", " ");
}
