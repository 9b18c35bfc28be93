/** The last commit that changed a directory or a file, in one line. */
import { History } from "lucide-react";
import { Link } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { text } from "../../text/contents.ts";
import { Time } from "../../ui/time.tsx";
import { shortName } from "../commits/commit-id.ts";
import { titleOf } from "../commits/commit-message.ts";
import { Person } from "../commits/person.tsx";
import { CommitRun } from "../pipelines/commit-run.tsx";
import { commitAddress, fileAddress } from "../repositories/addresses.ts";
import { useRepository } from "../repositories/use-repository.ts";
import styles from "./file-list.module.css";

export function LatestCommit(props: { commit: Schemas["Commit"] | undefined; gitRef: string; path: string }) {
  const repository = useRepository();
  const { commit, gitRef, path } = props;
  return (
    <div className={styles.latest}>
      {commit ? (
        <>
          <span className={styles.who}>
            <Person person={commit.author} />
          </span>
          <span className={styles.message}>
            <Link to={commitAddress(repository, commit.sha)}>{titleOf(commit.message)}</Link>
          </span>
          <span className={styles.when}>
            <CommitRun sha={commit.sha} />
            <Link to={commitAddress(repository, commit.sha)}>
              <code>{shortName(commit.sha)}</code>
            </Link>
            <Time at={commit.created_at} />
          </span>
        </>
      ) : (
        <span className={styles.message} />
      )}
      <Link to={fileAddress(repository, "commits", { ref: gitRef, path })}>
        <History size={14} aria-hidden /> {text.history}
      </Link>
    </div>
  );
}
