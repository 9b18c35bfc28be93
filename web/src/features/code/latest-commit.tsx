/** The last commit that changed a directory or a file, in one line. */
import { History } from "lucide-react";
import { Link } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { text } from "../../text/code.ts";
import { Time } from "../../ui/time.tsx";
import { CommitRun } from "../pipelines/commit-run.tsx";
import { useRepository } from "../repositories/use-repository.ts";
import { commitAddress, fileAddress } from "./addresses.ts";
import styles from "./file-list.module.css";
import { Person } from "./person.tsx";
import { shortName, titleOf } from "./short-name.ts";

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
