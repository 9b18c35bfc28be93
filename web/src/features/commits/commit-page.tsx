/** One commit: who made it, why, and what it changed. */
import { Link } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { $api } from "../../api/client.ts";
import { text } from "../../text/commits.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { Page } from "../../ui/page.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { Time } from "../../ui/time.tsx";
import { useFilePlace } from "../contents/use-file-place.ts";
import { ChangedFilesView } from "../diffs/changed-files-view.tsx";
import { useRepositoryDiff } from "../diffs/use-repository-diff.ts";
import { CommitRuns } from "../pipelines/commit-runs.tsx";
import { commitAddress, fileAddress } from "../repositories/addresses.ts";
import { useRepository, useRepositoryPath } from "../repositories/use-repository.ts";
import { shortName } from "./commit-id.ts";
import { bodyOf, titleOf } from "./commit-message.ts";
import styles from "./commit-page.module.css";
import { isByOther } from "./is-by-other.ts";
import { Person } from "./person.tsx";
import { Signature } from "./signature.tsx";

export function CommitPage() {
  const repository = useRepository();
  const place = useFilePlace();
  const sha = place.path === "" ? place.ref : `${place.ref}/${place.path}`;
  const query = $api.useQuery(
    "get",
    "/repos/{owner}/{repo}/commits/{sha}",
    { params: { path: { ...useRepositoryPath(), sha } } },
    { staleTime: 60_000 },
  );
  return (
    <QueryView query={query} lines={8}>
      {(commit) => (
        <Page
          title={titleOf(commit.message)}
          within={repository.full_name}
          actions={
            <ButtonLink to={fileAddress(repository, "tree", { ref: commit.sha })}>
              {text.filesAtThis}
            </ButtonLink>
          }
        >
          <Head commit={commit} />
          <Changes sha={commit.sha} />
        </Page>
      )}
    </QueryView>
  );
}

function Changes({ sha }: { sha: string }) {
  return <ChangedFilesView source={useRepositoryDiff(sha, sha)} />;
}

function Head({ commit }: { commit: Schemas["Commit"] }) {
  const repository = useRepository();
  const { author, committer, parents } = commit;
  const body = bodyOf(commit.message);
  return (
    <div className={styles.head}>
      {body === "" ? null : <pre className={styles.body}>{body}</pre>}
      <div className={styles.facts}>
        <span>
          {text.author} <Person person={author} />, <Time at={author.date} />
        </span>
        {isByOther(commit) ? (
          <span>
            {text.committer} <Person person={committer} />, <Time at={committer.date} />
          </span>
        ) : null}
        <span>
          {text.commit} <code>{commit.sha}</code>
        </span>
        <Signature commit={commit} />
        <CommitRuns sha={commit.sha} />
        {parents.length === 0 ? null : (
          <span>
            {parents.length === 1 ? text.parent : text.parents}{" "}
            {parents.map((parent, index) => (
              <span key={parent.sha}>
                {index > 0 ? ", " : ""}
                <Link to={commitAddress(repository, parent.sha)} data-inline>
                  <code>{shortName(parent.sha)}</code>
                </Link>
              </span>
            ))}
          </span>
        )}
      </div>
    </div>
  );
}
