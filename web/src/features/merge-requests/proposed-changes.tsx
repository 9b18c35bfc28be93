/** What would be merged: the commits and files that one branch has and another does not, and where both conflict. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { text } from "../../text/merge-requests.ts";
import { Notice } from "../../ui/notice.tsx";
import { Section } from "../../ui/page.tsx";
import { CommitList } from "../commits/commit-list.tsx";
import { ComparedFiles } from "../commits/compared-files.tsx";

/** In the repository with the source branch. */
export function ProposedChanges({
  comparison,
  source,
}: {
  comparison: Schemas["Comparison"];
  source: string;
}) {
  const { ahead_by: ahead, commits, files, files_truncated: isCut } = comparison;
  const fileCount = isCut ? text.atLeast(files.length) : String(files.length);
  return (
    <>
      <Section title={text.commits} lead={text.size(ahead, fileCount)}>
        <CommitList commits={commits} gitRef={source} />
        {ahead > commits.length ? <p>{text.newestCommits(commits.length)}</p> : null}
      </Section>
      <ComparedFiles comparison={comparison} />
    </>
  );
}

/** Nothing where they can be merged, and where that is not known. */
export function ConflictNotice({ paths, target }: { paths: readonly string[] | null; target: string }) {
  if (!paths?.length) return null;
  return (
    <Notice tone="warn">
      {text.willConflict(target)}
      <ul>
        {paths.map((path) => (
          <li key={path}>
            <code>{path}</code>
          </li>
        ))}
      </ul>
    </Notice>
  );
}
