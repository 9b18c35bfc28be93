/** A repository without commits: how the first ones get into it. */
import { useState } from "react";
import { Link } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { text } from "../../text/repositories.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { CopyBlock } from "../../ui/copy-field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Section } from "../../ui/page.tsx";
import { Segments } from "../../ui/segments.tsx";
import { fileAddress } from "./addresses.ts";
import { canWrite } from "./can-write.ts";
import styles from "./empty-repository.module.css";
import { useRepository } from "./use-repository.ts";

const tokenForGit = "/settings/tokens/new?name=Git&scopes=repo:write";

export function EmptyRepository() {
  const repository = useRepository();
  const { clone_urls, default_branch, full_name } = repository;
  const [protocol, setProtocol] = useState<"https" | "ssh">("https");
  const isSsh = protocol === "ssh";
  if (!canWrite(repository)) return <Notice>{text.emptyForReaders}</Notice>;
  const commands = commandsFor(repository, clone_urls[protocol] ?? clone_urls.https);
  return (
    <>
      <Section title={text.emptyTitle} lead={text.emptyLead}>
        <div className={styles.ways}>
          <ButtonLink to={`/${full_name}/pipelines/edit`} kind="primary">
            {text.writePipeline}
          </ButtonLink>
          <ButtonLink to={fileAddress(repository, "new", { ref: default_branch })}>
            {text.writeFile}
          </ButtonLink>
        </div>
      </Section>
      {clone_urls.ssh === null ? null : (
        <Segments
          label={text.protocol}
          choices={{ https: text.https, ssh: text.ssh }}
          value={protocol}
          onChange={setProtocol}
        />
      )}
      <p className={styles.needs}>
        {isSsh ? text.needsKey : text.needsToken}{" "}
        <Link to={isSsh ? "/settings/keys" : tokenForGit} target="_blank">
          {isSsh ? text.addKey : text.makeToken}
        </Link>
      </p>
      <Section title={text.pushNew}>
        <CopyBlock label={text.pushNew} value={commands.startNew} />
      </Section>
      <Section title={text.pushExisting}>
        <CopyBlock label={text.pushExisting} value={commands.pushExisting} />
      </Section>
    </>
  );
}

function commandsFor({ name, default_branch }: Schemas["Repository"], address: string) {
  const push = `git push --set-upstream origin ${default_branch}`;
  const startNew = [
    `git clone ${address}`,
    `cd ${name}`,
    `git switch --create ${default_branch}`,
    `echo "# ${name}" > README.md`,
    "git add README.md",
    'git commit -m "Begin"',
    push,
  ];
  const pushExisting = [`git remote add origin ${address}`, `git branch --move ${default_branch}`, push];
  return { startNew: startNew.join("\n"), pushExisting: pushExisting.join("\n") };
}
