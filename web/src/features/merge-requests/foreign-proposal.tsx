/** What is about to be proposed from another repository, as it is there: nothing of it comes over before the merge request is created. */
import { Link } from "react-router";
import { $api } from "../../api/client.ts";
import { isNotFound } from "../../api/problem.ts";
import { text } from "../../text/merge-requests.ts";
import { Notice } from "../../ui/notice.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { InRepository } from "../repositories/in-repository.tsx";
import { useRepositoryPath } from "../repositories/use-repository.ts";
import { newMergeRequestAddress } from "./addresses.ts";
import { NewMergeRequestForm } from "./new-merge-request-form.tsx";
import { ConflictNotice, ProposedChanges } from "./proposed-changes.tsx";

interface ForeignProposalProps {
  sourceRepo: string;
  source: string;
  target: string;
}

export function ForeignProposal({ sourceRepo, source, target }: ForeignProposalProps) {
  const comparison = $api.useQuery("get", "/repos/{owner}/{repo}/compare/{basehead}", {
    params: {
      path: { ...useRepositoryPath(), basehead: `${target}...${source}` },
      query: { head_repo: sourceRepo, conflicts: "true" },
    },
  });
  if (isNotFound(comparison.error)) return <Notice tone="warn">{text.notComparable}</Notice>;
  return (
    <QueryView query={comparison} lines={8}>
      {(found) => {
        if (found.ahead_by === 0) return <Notice>{text.nothingToMerge(source, target)}</Notice>;
        // Where the two share no history, nobody can say what one changes in the other: creating it says so.
        const isRelated = found.merge_base_commit !== null;
        const messages = found.commits.map(({ message }) => message);
        return (
          <>
            <ConflictNotice paths={found.conflicts} target={target} />
            <Described {...{ sourceRepo, source, target, messages }} />
            <InRepository name={sourceRepo}>
              {isRelated ? <ProposedChanges comparison={found} source={source} /> : null}
            </InRepository>
          </>
        );
      }}
    </QueryView>
  );
}

function Described(props: ForeignProposalProps & { messages: readonly string[] }) {
  const { sourceRepo, source } = props;
  const [owner = "", repo = ""] = sourceRepo.split("/");
  const repository = $api.useQuery("get", "/repos/{owner}/{repo}", { params: { path: { owner, repo } } });
  if (repository.isPending) return null;
  const isPrivate = repository.data?.private ?? false;
  return (
    <>
      <Notice tone={isPrivate ? "warn" : "info"}>
        {isPrivate ? text.foreignPrivate(sourceRepo) : text.foreign(sourceRepo)}{" "}
        <Link to={newMergeRequestAddress({ full_name: sourceRepo }, { source })} data-inline>
          {text.proposeThere(sourceRepo)}
        </Link>
      </Notice>
      <NewMergeRequestForm {...props} allowsEdits={repository.data?.owner.type === "user"} />
    </>
  );
}
