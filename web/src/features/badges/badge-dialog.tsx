/** How the status or the coverage of a branch looks as a badge, and what to write to show it. */
import { useState } from "react";
import { text } from "../../text/badges.ts";
import { CopyField } from "../../ui/copy-field.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { SelectField, TextField } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { useRepository } from "../repositories/use-repository.ts";

type Kind = keyof typeof text.kinds;
const pages: Readonly<Record<Kind, string>> = { pipeline: "/pipelines", coverage: "/pipelines/coverage" };

export function BadgeDialog({ first = "pipeline", onClose }: { first?: Kind; onClose: () => void }) {
  const repository = useRepository();
  const [kind, setKind] = useState<Kind>(first);
  const [branch, setBranch] = useState("");
  const query = branch.trim() === "" ? "" : `?${new URLSearchParams({ branch: branch.trim() })}`;
  const path = `/badges/${kind}.svg${query}`;
  const image = `${repository.url}${path}`;
  const page = `${repository.web_url}${pages[kind]}`;
  return (
    <Dialog open onClose={onClose} title={text.title} lead={text.lead} wide>
      <p>
        <img src={`${new URL(repository.url).pathname}${path}`} alt={kind} height={20} />
      </p>
      <SelectField
        label={text.kind}
        value={kind}
        onChange={(event) => setKind(event.target.value === "coverage" ? "coverage" : "pipeline")}
      >
        <option value="pipeline">{text.kinds.pipeline}</option>
        <option value="coverage">{text.kinds.coverage}</option>
      </SelectField>
      <TextField
        label={text.branch}
        value={branch}
        placeholder={repository.default_branch ?? ""}
        onChange={(event) => setBranch(event.target.value)}
      />
      <CopyField shown label={text.markdown} value={`[![${kind}](${image})](${page})`} />
      <CopyField shown label={text.html} value={`<a href="${page}"><img src="${image}" alt="${kind}"></a>`} />
      <CopyField shown label={text.image} value={image} />
      {repository.visibility === "public" ? null : <Notice>{text.privately}</Notice>}
      <p>
        <a href="/docs/pipelines/badges">{text.docs}</a>
      </p>
    </Dialog>
  );
}
