/** Commits, newest first. */
import { Link } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { text } from "../../text/commits.ts";
import { Time } from "../../ui/time.tsx";
import { CommitRun } from "../pipelines/commit-run.tsx";
import { commitAddress, fileAddress } from "../repositories/addresses.ts";
import { useRepository } from "../repositories/use-repository.ts";
import { shortName } from "./commit-id.ts";
import styles from "./commit-list.module.css";
import { bodyOf, titleOf } from "./commit-message.ts";
import { isByOther } from "./is-by-other.ts";
import { Person } from "./person.tsx";
import { Signature } from "./signature.tsx";

export interface CommitListProps {
  commits: readonly Schemas["Commit"][];
  /** Branch or tag that has them, whose runs are shown beside them. */
  gitRef: string;
}

export function CommitList({ commits, gitRef }: CommitListProps) {
  return (
    <ul className={styles.list}>
      {commits.map((commit) => (
        <Row key={commit.sha} commit={commit} gitRef={gitRef} />
      ))}
    </ul>
  );
}

function Row({ commit, gitRef }: { commit: Schemas["Commit"]; gitRef: string }) {
  const repository = useRepository();
  const title = titleOf(commit.message);
  const body = bodyOf(commit.message);
  return (
    <li className={styles.commit}>
      <div className={styles.what}>
        <Link to={commitAddress(repository, commit.sha)}>{title}</Link>
        <div className={styles.who}>
          <Person person={commit.author} />,{" "}
          {isByOther(commit) ? (
            <>
              {text.committer} <Person person={commit.committer} />,{" "}
            </>
          ) : null}
          <Time at={commit.created_at} />
        </div>
        {body === "" ? null : (
          <details className={styles.who}>
            <summary>{text.wholeMessage}</summary>
            <pre className={styles.body}>{body}</pre>
          </details>
        )}
      </div>
      <div className={styles.links}>
        <Signature commit={commit} />
        <CommitRun sha={commit.sha} gitRef={gitRef} />
        <Link to={commitAddress(repository, commit.sha)} aria-label={text.commitNamed(shortName(commit.sha))}>
          <code>{shortName(commit.sha)}</code>
        </Link>
        <Link
          to={fileAddress(repository, "tree", { ref: commit.sha })}
          aria-label={text.filesAt(shortName(commit.sha))}
          className={styles.who}
        >
          {text.files}
        </Link>
      </div>
    </li>
  );
}
