/** What a reviewer says, as a mark; screen readers get the words. */
import { CircleCheck, CircleDot, CircleSlash, FilePen, MessageSquare } from "lucide-react";
import { text } from "../../text/reviews.ts";
import type { Reviewer } from "./review.ts";
import styles from "./reviewers-field.module.css";

const icons = {
  waiting: CircleDot,
  commented: MessageSquare,
  approved: CircleCheck,
  changes_requested: FilePen,
  dismissed: CircleSlash,
};

/** `stale`: it was about an earlier version. */
export function ReviewerState({ state, stale }: { state: Reviewer["state"]; stale: boolean }) {
  const Icon = icons[state];
  const isOld = stale && (state === "approved" || state === "changes_requested");
  const words = isOld ? `${text.states[state]} (${text.staleState})` : text.states[state];
  return (
    <span className={styles.state} data-state={isOld ? "stale" : state} title={words}>
      <Icon size={16} aria-hidden />
      <span className="visually-hidden">{words}</span>
    </span>
  );
}
