/** Deletes a file by a commit to a branch. */
import { Trash2 } from "lucide-react";
import { useNavigate } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api } from "../../api/client.ts";
import { text } from "../../text/contents.ts";
import { ConfirmButton } from "../../ui/dialog-button.tsx";
import { TextField } from "../../ui/field.tsx";
import { fileAddress } from "../repositories/addresses.ts";
import { useRepository, useRepositoryPath } from "../repositories/use-repository.ts";

export function DeleteFile({ file, branch }: { file: Schemas["FileContents"]; branch: string }) {
  const repository = useRepository();
  const path = { ...useRepositoryPath(), path: file.path };
  const navigate = useNavigate();
  const suggestion = text.deleteMessage(file.path);
  return (
    <ConfirmButton
      kind="quiet"
      icon={<Trash2 aria-hidden />}
      label={text.delete}
      title={text.deleteTitle(file.path)}
      said={text.isDeleted(file.path)}
      run={async ({ message = "" }) => {
        const body = { message: message.trim() === "" ? suggestion : message, sha: file.sha, branch };
        await api.DELETE("/repos/{owner}/{repo}/contents/{path}", { params: { path }, body });
      }}
      // Its directory may be gone with it; the top is always there.
      onDone={() => navigate(fileAddress(repository, "tree", { ref: branch }))}
    >
      <TextField
        name="message"
        label={text.message}
        hint={text.messageHint(branch)}
        placeholder={suggestion}
        autoComplete="off"
      />
    </ConfirmButton>
  );
}
