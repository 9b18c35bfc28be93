/** How the run of a commit stands, beside the commit: a mark that leads to it. */
import { Link } from "react-router";
import { text } from "../../text/pipelines.ts";
import { StatusMark, statusWord } from "../../ui/status.tsx";
import { useRepository } from "../repositories/use-repository.ts";
import { useRunsByCommit } from "./use-runs-by-commit.ts";

/** `gitRef`: a branch or tag that has the commit, if runs of others are not to be requested. Nothing for a commit whose run is old. */
export function CommitRun({ sha, gitRef = "" }: { sha: string; gitRef?: string }) {
  const { full_name } = useRepository();
  const run = useRunsByCommit(gitRef).get(sha);
  if (!run) return null;
  const words = text.runOfCommit(run.number, statusWord(run.status));
  return (
    <Link to={`/${full_name}/pipelines/${run.number}`} aria-label={words} title={run.message ?? words}>
      <StatusMark status={run.status} bare />
    </Link>
  );
}
