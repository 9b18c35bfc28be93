/** How to get the first run of a repository. */
import { text, firstPipeline, firstPush } from "../../text/first-run.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { CopyBlock } from "../../ui/copy-field.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { useRepository } from "../repositories/use-repository.ts";
import { mayRun } from "./may-run.ts";
import styles from "./first-run.module.css";

export function FirstRun() {
  const repository = useRepository();
  if (!mayRun(repository)) return <EmptyState title={text.firstTitle}>{text.firstReader}</EmptyState>;
  return (
    <EmptyState
      title={text.firstTitle}
      action={
        <>
          <ButtonLink to={`/${repository.full_name}/pipelines/edit`} kind="primary">
            {text.firstWrite}
          </ButtonLink>
          <a href="/docs/pipelines/file">{text.documentation}</a>
        </>
      }
    >
      <div className={styles.steps}>
        <p>{text.firstLead}</p>
        <CopyBlock label={text.firstFile} value={firstPipeline} />
        <p>{text.firstPush}</p>
        <CopyBlock label={text.firstCommands} value={firstPush} />
      </div>
    </EmptyState>
  );
}
