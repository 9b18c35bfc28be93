/** What its author says about a merge request. Those who may edit it can tick its tasks. */
import { Pencil } from "lucide-react";
import { useState } from "react";
import { text } from "../../text/merge-requests.ts";
import { text as shared } from "../../text/work-items.ts";
import { IconButton } from "../../ui/button.tsx";
import type { MarkdownPlace } from "../markdown/targets.ts";
import { ReactionBar } from "../reactions/reaction-bar.tsx";
import { mergeRequestReactions } from "../reactions/reaction-calls.ts";
import { useRepositoryPath } from "../repositories/use-repository.ts";
import { EditText } from "../work-items/edit-text.tsx";
import { TextCard } from "../work-items/text-card.tsx";
import { TickableText } from "../work-items/tickable-text.tsx";
import type { WorkItemCalls } from "../work-items/work-item.ts";
import type { MergeRequest } from "./merge-request.ts";

interface DescriptionProps {
  mergeRequest: MergeRequest;
  calls: WorkItemCalls;
  place: MarkdownPlace;
}

export function Description({ mergeRequest, calls, place }: DescriptionProps) {
  const path = useRepositoryPath();
  const [isEditing, setEditing] = useState(false);
  const { id, author, description: body, viewer_may: may } = mergeRequest;
  const texts = { body, place, newest: calls.newestBody, save: calls.saveBody };
  return (
    <TextCard
      author={author}
      imported={mergeRequest.imported_author}
      verb={shared.wrote}
      at={mergeRequest.created_at}
      editedAt={mergeRequest.edited_at}
      foot={
        <ReactionBar
          reactions={mergeRequest.reactions}
          mayReact={may.comment}
          calls={mergeRequestReactions({ ...path, number: mergeRequest.number }, id)}
        />
      }
      actions={
        may.edit && !isEditing ? (
          <IconButton label={text.editDescription} onClick={() => setEditing(true)}>
            <Pencil aria-hidden />
          </IconButton>
        ) : null
      }
    >
      {isEditing ? (
        <EditText
          label={text.description}
          {...texts}
          draftKey={`${id}-description`}
          said={text.saved}
          onClose={() => setEditing(false)}
        />
      ) : body.trim() === "" ? (
        <p>{text.noDescription}</p>
      ) : (
        <TickableText {...texts} mayEdit={may.edit} />
      )}
    </TextCard>
  );
}
