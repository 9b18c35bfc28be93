/** Issues that are to be seen first. */
import { Pin } from "lucide-react";
import { Link } from "react-router";
import { text } from "../../text/issues.ts";
import { text as items } from "../../text/work-items.ts";
import { useRepository } from "../repositories/use-repository.ts";
import { IssueIcon, issueTone, StateMark } from "../work-items/state-badge.tsx";
import styles from "./pinned-issues.module.css";
import { usePinned } from "./use-issues.ts";

export function PinnedIssues() {
  const { full_name: fullName } = useRepository();
  const issues = usePinned();
  if (issues.length === 0) return null;
  return (
    <section aria-label={text.pinned}>
      <ul className={styles.list}>
        {issues.map((issue) => (
          <li key={issue.id} className={styles.issue}>
            <Pin size={14} aria-hidden className={styles.pin} />
            <Link to={`/${fullName}/issues/${issue.number}`} className={styles.title}>
              {issue.title}
            </Link>
            <span className={styles.about}>
              <StateMark
                tone={issueTone(issue)}
                icon={<IssueIcon issue={issue} size={14} />}
                label={items.states[issue.state]}
              />
              #{issue.number} · {text.comments(issue.comments_count)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
