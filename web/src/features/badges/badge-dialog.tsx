/** How the status of a branch looks as a badge, and what to write to show it. */
import { useState } from "react";
import { text } from "../../text/badges.ts";
import { CopyField } from "../../ui/copy-field.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { useRepository } from "../repositories/use-repository.ts";

export function BadgeDialog({ onClose }: { onClose: () => void }) {
  const repository = useRepository();
  const [branch, setBranch] = useState("");
  const query = branch.trim() === "" ? "" : `?${new URLSearchParams({ branch: branch.trim() })}`;
  const path = `/badges/pipeline.svg${query}`;
  const image = `${repository.url}${path}`;
  const page = `${repository.web_url}/pipelines`;
  return (
    <Dialog open onClose={onClose} title={text.title} lead={text.lead} wide>
      <p>
        <img src={`${new URL(repository.url).pathname}${path}`} alt={text.alt} height={20} />
      </p>
      <TextField
        label={text.branch}
        value={branch}
        placeholder={repository.default_branch ?? ""}
        onChange={(event) => setBranch(event.target.value)}
      />
      <CopyField shown label={text.markdown} value={`[![${text.alt}](${image})](${page})`} />
      <CopyField
        shown
        label={text.html}
        value={`<a href="${page}"><img src="${image}" alt="${text.alt}"></a>`}
      />
      <CopyField shown label={text.image} value={image} />
      {repository.visibility === "public" ? null : <Notice>{text.privately}</Notice>}
      <p>
        <a href="/docs/pipelines/badges">{text.docs}</a>
      </p>
    </Dialog>
  );
}
