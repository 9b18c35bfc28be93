/** A suggested change: the lines as they are and as they would be, and the means to apply it. */
import { Check } from "lucide-react";
import { text } from "../../text/reviews.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { shortName } from "../commits/commit-id.ts";
import { SourceText } from "../contents/source-text.tsx";
import { ApplyButton } from "./apply-button.tsx";
import { isSame, type Chosen } from "./batch-store.ts";
import type { Suggestion } from "./review.ts";
import styles from "./threads.module.css";
import { useBatch } from "./use-batch.ts";

interface SuggestedChangeProps {
  comment: string;
  suggestion: Suggestion;
  mayApply: boolean;
}

export function SuggestedChange({ comment, suggestion, mayApply }: SuggestedChangeProps) {
  const { state, applied, index, digest, old_lines: before, new_lines: after } = suggestion;
  return (
    <div className={styles.suggestion} role="group" aria-label={text.suggestion}>
      <div className={styles.suggestionHead}>
        <span>{text.suggestion}</span>
        {state === "outdated" ? <Badge tone="warn">{text.outdated}</Badge> : null}
        {applied ? (
          <span className={styles.settled}>
            <Check size={14} aria-hidden /> {text.appliedIn} <code>{shortName(applied.sha)}</code>
          </span>
        ) : null}
      </div>
      <div className={styles.excerpt}>
        <Lines kind="removed" lines={before ?? []} />
        <Lines kind="added" lines={after} />
      </div>
      {mayApply && state === "open" ? <Actions chosen={{ comment, index, digest }} /> : null}
    </div>
  );
}

function Lines({ kind, lines }: { kind: "added" | "removed"; lines: readonly string[] }) {
  return lines.map((line, index) => (
    <div key={index} data-kind={kind}>
      <span aria-hidden>{kind === "added" ? "+" : "−"}</span>
      <code>
        <SourceText text={line} />
      </code>
    </div>
  ));
}

function Actions({ chosen: one }: { chosen: Chosen }) {
  const { store, chosen } = useBatch();
  const isChosen = chosen.some((each) => isSame(each, one));
  return (
    <div className={styles.actions}>
      {chosen.length === 0 ? <ApplyButton suggestions={[one]} label={text.apply} /> : null}
      <Button aria-pressed={isChosen} onClick={() => store.toggle(one)}>
        {isChosen ? text.removeFromBatch : text.addToBatch}
      </Button>
    </div>
  );
}
