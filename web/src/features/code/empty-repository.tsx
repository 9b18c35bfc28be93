/** A repository without commits: how the first ones get into it. */
import { text } from "../../text/code.ts";
import { CopyBlock, CopyField } from "../../ui/copy-field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Section } from "../../ui/page.tsx";
import { useRepository } from "../repositories/use-repository.ts";
import { canWrite } from "./can-write.ts";

export function EmptyRepository() {
  const repository = useRepository();
  const { clone_urls, default_branch, name } = repository;
  if (!canWrite(repository)) return <Notice>{text.emptyForReaders}</Notice>;
  const fresh = [
    `git clone ${clone_urls.https}`,
    `cd ${name}`,
    `git switch --create ${default_branch}`,
    `echo "# ${name}" > README.md`,
    "git add README.md",
    'git commit -m "Begin"',
    `git push --set-upstream origin ${default_branch}`,
  ].join("\n");
  const existing = [
    `git remote add origin ${clone_urls.https}`,
    `git branch --move ${default_branch}`,
    `git push --set-upstream origin ${default_branch}`,
  ].join("\n");
  return (
    <>
      <Section title={text.emptyTitle} lead={text.emptyLead}>
        <CopyField label={text.cloneHttps} value={clone_urls.https} />
        {clone_urls.ssh === null ? null : <CopyField label={text.cloneSsh} value={clone_urls.ssh} />}
      </Section>
      <Section title={text.pushNew}>
        <CopyBlock label={text.pushNew} value={fresh} />
      </Section>
      <Section title={text.pushExisting}>
        <CopyBlock label={text.pushExisting} value={existing} />
      </Section>
    </>
  );
}
