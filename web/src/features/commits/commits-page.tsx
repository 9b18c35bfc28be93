/** The history of a repository, a directory or a file. Without a ref in the address, of the default branch. */
import { Link } from "react-router";
import { text } from "../../text/commits.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Pager, usePageNumber } from "../../ui/pager.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { CodePage } from "../contents/code-page.tsx";
import { useFilePlace } from "../contents/use-file-place.ts";
import { EmptyRepository } from "../repositories/empty-repository.tsx";
import { useRepository } from "../repositories/use-repository.ts";
import { CommitList } from "./commit-list.tsx";
import { commitsPerPage, useCommits } from "./use-commits.ts";

export function CommitsPage() {
  const { default_branch } = useRepository();
  const named = useFilePlace();
  const place = { ...named, ref: named.ref || default_branch };
  const page = usePageNumber();
  const commits = useCommits(named, page);
  return (
    <QueryView query={commits} lines={10}>
      {({ commits: rows, total }) => (
        <CodePage page="commits" gitRef={place.ref} path={place.path} title={text.history}>
          {rows.length > 0 ? (
            <>
              <CommitList commits={rows} gitRef={place.ref} />
              <Pager total={total} perPage={commitsPerPage} label={text.commitPages} />
            </>
          ) : page > 1 ? (
            <EmptyState title={text.pastEnd} action={<Link to="?">{text.toFirstPage}</Link>} />
          ) : place.path === "" ? (
            <EmptyRepository />
          ) : (
            <EmptyState title={text.noCommits} />
          )}
        </CodePage>
      )}
    </QueryView>
  );
}
