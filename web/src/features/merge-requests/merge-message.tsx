/** The message of the commit that merges, for those who want another one than the server writes. */
import { useState } from "react";
import { text } from "../../text/merge-requests.ts";
import { Button } from "../../ui/button.tsx";
import { TextArea } from "../../ui/field.tsx";
import { useRepository } from "../repositories/use-repository.ts";
import { sourceName } from "./source-name.ts";
import { suggestedMessage } from "./suggested-message.ts";
import type { MergeRequest } from "./merge-request.ts";
import { useMergeRequestCommits } from "./use-merge-request.ts";

interface MergeMessageProps {
  mergeRequest: MergeRequest;
  strategy: "merge" | "squash";
  /** Undefined until somebody has written one. */
  value: string | undefined;
  onChange: (value: string) => void;
}

const maxChars = 65_536;

export function MergeMessage({ mergeRequest, strategy, value, onChange }: MergeMessageProps) {
  const { id } = useRepository();
  const [isOpen, setOpen] = useState(value !== undefined);
  const commits = useMergeRequestCommits(mergeRequest);
  if (!isOpen)
    return (
      <div>
        <Button onClick={() => setOpen(true)}>{text.editMessage}</Button>
      </div>
    );
  const { commits: rows = [], total = 0 } = commits.data ?? {};
  const described = { ...mergeRequest, source: sourceName(mergeRequest, id) };
  const messages = rows.map(({ message }) => message);
  return (
    <TextArea
      label={text.message}
      rows={6}
      maxLength={maxChars}
      required
      value={value ?? suggestedMessage(strategy, described, { messages, total })}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
