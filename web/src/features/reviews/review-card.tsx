/** A review in the conversation: the verdict, what it says, and the threads that came with it. */
import { CircleCheck, CircleSlash, Ellipsis, FilePen, MessageSquare, Pencil } from "lucide-react";
import { useState, type ReactNode } from "react";
import { useSession } from "../../api/session.ts";
import { text } from "../../text/reviews.ts";
import { text as shared } from "../../text/work-items.ts";
import { Badge } from "../../ui/badge.tsx";
import { IconButton } from "../../ui/button.tsx";
import { Menu, type MenuItem } from "../../ui/menu.tsx";
import { MarkdownText } from "../markdown/markdown-text.tsx";
import { useMergeRequestPath } from "../merge-requests/use-merge-request.ts";
import { ReactionBar } from "../reactions/reaction-bar.tsx";
import { reviewReactions } from "../reactions/reaction-calls.ts";
import { EditText } from "../work-items/edit-text.tsx";
import { TextCard } from "../work-items/text-card.tsx";
import { useTextPlace } from "../work-items/use-text-place.ts";
import { DismissDialog } from "./dismiss-dialog.tsx";
import styles from "./review-card.module.css";
import { useShownReview } from "./review-context.ts";
import type { Review } from "./review.ts";

interface ReviewCardProps {
  review: Review;
  /** As it was submitted: a dismissed one says no more what it was. */
  verdict: string | undefined;
  isTarget: boolean;
  children: ReactNode;
}

export function ReviewCard({ review, verdict = review.state, isTarget, children }: ReviewCardProps) {
  const { id, author, body, state } = review;
  const { mergeRequest, calls } = useShownReview();
  const place = useTextPlace();
  const path = useMergeRequestPath();
  const [isEditing, setEditing] = useState(false);
  const known = verdict === "approved" || verdict === "changes_requested" ? verdict : "commented";
  const Icon = icons[known];
  return (
    <div className={styles.review}>
      <TextCard
        id={id}
        author={author}
        imported={review.imported_author}
        verb={
          <span className={styles.verdict} data-verdict={state === "dismissed" ? state : known}>
            <Icon size={15} aria-hidden /> {text.verbs[known]}
          </span>
        }
        at={review.submitted_at ?? review.created_at}
        editedAt={null}
        isItemAuthor={author !== null && author.id === mergeRequest.author?.id}
        isTarget={isTarget}
        foot={
          <ReactionBar
            reactions={review.reactions}
            mayReact={review.viewer_may.react}
            calls={reviewReactions({ ...path, review: id })}
          />
        }
        marks={<Marks review={review} />}
        actions={<Actions review={review} onEdit={() => setEditing(true)} />}
      >
        {isEditing ? (
          <EditText
            label={text.editReview}
            {...{ body, place }}
            draftKey={id}
            newest={() => calls.newestBody(id)}
            save={(newBody, previous) => calls.edit(id, newBody, previous)}
            said={text.reviewSaved}
            onClose={() => setEditing(false)}
          />
        ) : body === "" ? null : (
          <MarkdownText source={body} place={place} />
        )}
      </TextCard>
      {children}
    </div>
  );
}

const icons = {
  approved: CircleCheck,
  changes_requested: FilePen,
  commented: MessageSquare,
};

function Marks({ review: { state, stale, counts } }: { review: Review }) {
  const decides = state === "approved" || state === "changes_requested";
  return (
    <>
      {state === "dismissed" ? <Badge tone="plain">{text.dismissed}</Badge> : null}
      {decides && stale ? (
        <span title={text.staleHint}>
          <Badge tone="warn">{text.stale}</Badge>
        </span>
      ) : null}
      {decides && !counts ? (
        <span title={text.notCountedHint}>
          <Badge tone="plain">{text.notCounted}</Badge>
        </span>
      ) : null}
    </>
  );
}

function Actions({ review, onEdit }: { review: Review; onEdit: () => void }) {
  const { author, viewer_may: may } = review;
  const session = useSession();
  const [isDismissing, setDismissing] = useState(false);
  const isOwn = session?.user.id === author?.id;
  const items: MenuItem[] = [];
  if (may.edit)
    items.push({ kind: "action", label: shared.edit, icon: <Pencil aria-hidden />, onSelect: onEdit });
  if (may.dismiss)
    items.push({
      kind: "action",
      label: isOwn ? text.withdraw : text.dismiss,
      icon: <CircleSlash aria-hidden />,
      danger: true,
      onSelect: () => setDismissing(true),
    });
  if (items.length === 0) return null;
  const label = text.actionsOf(author?.username ?? shared.deletedAccount);
  return (
    <>
      <Menu
        label={label}
        trigger={
          <IconButton label={label}>
            <Ellipsis aria-hidden />
          </IconButton>
        }
        items={items}
      />
      {isDismissing ? (
        <DismissDialog id={review.id} isOwn={isOwn} onClose={() => setDismissing(false)} />
      ) : null}
    </>
  );
}
