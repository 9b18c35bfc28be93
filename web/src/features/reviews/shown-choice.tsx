/** Chooses which changes are shown. */
import { text } from "../../text/reviews.ts";
import { shortName } from "../commits/commit-id.ts";
import type { MergeRequest } from "../merge-requests/merge-request.ts";
import { useMergeRequestCommits } from "../merge-requests/use-merge-request.ts";
import { useShown, useSince, type Shown } from "./shown-changes.ts";
import styles from "./shown-choice.module.css";

export function ShownChoice({ mergeRequest }: { mergeRequest: MergeRequest }) {
  const [shown, show] = useShown();
  const review = useSince("last_review", mergeRequest).data;
  const look = useSince("last_look", mergeRequest).data;
  const commits = useMergeRequestCommits(mergeRequest).data?.commits ?? [];
  const heads = [
    { label: text.sinceReview, found: review },
    { label: text.sinceLook, found: look },
  ].flatMap(({ label, found }) =>
    found?.status === "changed" && found.since_sha !== null ? [{ label, sha: found.since_sha }] : [],
  );
  // The last look may have been for a review.
  const [first, second] = heads;
  if (first && first.sha === second?.sha) heads.pop();
  const value = shown.kind === "all" ? "" : `${shown.kind} ${shown.sha}`;
  const known = [
    "",
    ...heads.map((head) => `since ${head.sha}`),
    ...commits.map(({ sha }) => `commit ${sha}`),
  ];
  if (known.length < 3 && shown.kind === "all" && heads.length === 0) return null;
  return (
    <select
      className={styles.choice}
      aria-label={text.shownChanges}
      value={value}
      onChange={({ target }) => show(shownOf(target.value))}
    >
      <option value="">{text.allChanges}</option>
      {heads.map(({ label, sha }) => (
        <option key={label} value={`since ${sha}`}>
          {label} ({shortName(sha)})
        </option>
      ))}
      {known.includes(value) || shown.kind === "all" ? null : (
        <option value={value}>{shortName(shown.sha)}</option>
      )}
      <optgroup label={text.oneCommit}>
        {commits.map(({ sha, message }) => (
          <option key={sha} value={`commit ${sha}`}>
            {shortName(sha)} {message.split("\n", 1)[0]?.slice(0, 60)}
          </option>
        ))}
      </optgroup>
    </select>
  );
}

function shownOf(value: string): Shown {
  const [kind, sha] = value.split(" ");
  return sha !== undefined && (kind === "since" || kind === "commit") ? { kind, sha } : { kind: "all" };
}
