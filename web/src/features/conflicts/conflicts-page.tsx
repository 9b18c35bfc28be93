/** The files of a merge request that conflict, each with its lines to choose from, and the commit that resolves them. */
import { useState } from "react";
import { Link } from "react-router";
import { $api } from "../../api/client.ts";
import { text } from "../../text/conflicts.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { LeaveGuard } from "../../ui/leave-guard.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Section } from "../../ui/page.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { mergeRequestAddress } from "../merge-requests/addresses.ts";
import { MergeRequestFrame } from "../merge-requests/merge-request-frame.tsx";
import type { MergeRequest } from "../merge-requests/merge-request.ts";
import { sourceName } from "../merge-requests/source-name.ts";
import { useMergeRequestPath } from "../merge-requests/use-merge-request.ts";
import { useRepository } from "../repositories/use-repository.ts";
import { CommitResolution } from "./commit-resolution.tsx";
import { ConflictFileView } from "./conflict-file.tsx";
import { ConflictFiles } from "./conflict-files.tsx";
import styles from "./conflicts.module.css";
import type { Answer, Answers } from "./resolution.ts";
import type { Conflicts } from "./types.ts";

export function ConflictsPage() {
  return <MergeRequestFrame>{(found) => <Listed mergeRequest={found} />}</MergeRequestFrame>;
}

function Listed({ mergeRequest }: { mergeRequest: MergeRequest }) {
  const repository = useRepository();
  const path = useMergeRequestPath();
  // What somebody has chosen belongs to what they saw; committing finds out where that has changed.
  const query = $api.useQuery(
    "get",
    "/repos/{owner}/{repo}/merge-requests/{number}/conflicts",
    { params: { path } },
    { staleTime: Infinity, refetchOnWindowFocus: false },
  );
  return (
    <QueryView query={query} lines={10}>
      {(found) =>
        found.files.length === 0 ? (
          <EmptyState
            title={text.none}
            action={<Link to={mergeRequestAddress(repository, path.number)}>{text.back}</Link>}
          >
            {text.noneHint}
          </EmptyState>
        ) : (
          <Resolving
            key={`${found.head_sha} ${found.target_sha}`}
            conflicts={found}
            mergeRequest={mergeRequest}
            onAgain={() => void query.refetch()}
          />
        )
      }
    </QueryView>
  );
}

interface ResolvingProps {
  conflicts: Conflicts;
  mergeRequest: MergeRequest;
  onAgain: () => void;
}

function Resolving({ conflicts, mergeRequest, onAgain }: ResolvingProps) {
  const { id } = useRepository();
  const { files, truncated, viewer_may: may } = conflicts;
  const [answers, setAnswers] = useState<Answers>(new Map());
  const [current, setCurrent] = useState(0);
  const names = { source: sourceName(mergeRequest, id), target: mergeRequest.target_branch };
  const takesGit = truncated || files.some(({ choices }) => choices.length === 0);
  const mayResolve = may.resolve && !takesGit;
  const file = files[current];
  const answer = (path: string, given: Answer | undefined) =>
    setAnswers((before) => {
      const next = new Map(before);
      if (given) next.set(path, given);
      else next.delete(path);
      return next;
    });
  return (
    <Section title={text.title} lead={text.lead(names.source, names.target)}>
      {takesGit ? (
        <Notice tone="warn" title={text.takesGit}>
          {text.takesGitHint}
        </Notice>
      ) : null}
      {may.resolve ? null : <Notice>{text.readOnly}</Notice>}
      <div className={styles.columns}>
        <ConflictFiles files={files} answers={answers} current={current} onChoose={setCurrent} />
        {file ? (
          <ConflictFileView
            key={file.path}
            file={file}
            names={names}
            answer={answers.get(file.path)}
            onAnswer={mayResolve ? (given) => answer(file.path, given) : undefined}
          />
        ) : null}
      </div>
      {mayResolve ? <CommitResolution {...{ conflicts, answers, names, onAgain }} /> : null}
      <LeaveGuard isDirty={() => answers.size > 0} />
    </Section>
  );
}
