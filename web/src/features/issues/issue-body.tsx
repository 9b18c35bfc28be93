/** The text that an issue was opened with. */
import { Pencil } from "lucide-react";
import { useState } from "react";
import { text } from "../../text/issues.ts";
import { text as items } from "../../text/work-items.ts";
import { IconButton } from "../../ui/button.tsx";
import type { MarkdownPlace } from "../markdown/targets.ts";
import { ReactionBar } from "../reactions/reaction-bar.tsx";
import { issueReactions } from "../reactions/reaction-calls.ts";
import { useRepositoryPath } from "../repositories/use-repository.ts";
import { EditText } from "../work-items/edit-text.tsx";
import { TextCard } from "../work-items/text-card.tsx";
import { TickableText } from "../work-items/tickable-text.tsx";
import type { IssueCalls } from "./use-issue-calls.ts";
import type { Issue } from "./use-issues.ts";

export function IssueBody(props: { issue: Issue; calls: IssueCalls; place: MarkdownPlace }) {
  const { issue, calls, place } = props;
  const { body, viewer_may: may } = issue;
  const path = useRepositoryPath();
  const [isEditing, setEditing] = useState(false);
  const texts = { body, place, newest: calls.newestBody, save: calls.saveBody };
  return (
    <TextCard
      author={issue.author}
      imported={issue.imported_author}
      verb={items.wrote}
      at={issue.created_at}
      editedAt={issue.edited_at}
      foot={
        <ReactionBar
          reactions={issue.reactions}
          mayReact={may.comment}
          calls={issueReactions({ ...path, number: issue.number }, issue.id)}
        />
      }
      actions={
        may.edit && !isEditing ? (
          <IconButton label={items.editDescription} onClick={() => setEditing(true)}>
            <Pencil aria-hidden />
          </IconButton>
        ) : null
      }
    >
      {isEditing ? (
        <EditText
          label={items.description}
          {...texts}
          draftKey={`${calls.key.join("/")} description`}
          said={text.descriptionSaved}
          onClose={() => setEditing(false)}
        />
      ) : body.trim() === "" ? (
        <em>{items.noDescription}</em>
      ) : (
        <TickableText {...texts} mayEdit={may.edit} />
      )}
    </TextCard>
  );
}
