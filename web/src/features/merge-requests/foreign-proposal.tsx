/** What is about to be proposed from another repository. Its commits are shown once they are in the merge request. */
import { Link } from "react-router";
import { $api } from "../../api/client.ts";
import { text } from "../../text/merge-requests.ts";
import { Notice } from "../../ui/notice.tsx";
import { compareAddress } from "../repositories/addresses.ts";
import { newMergeRequestAddress } from "./addresses.ts";
import { NewMergeRequestForm } from "./new-merge-request-form.tsx";

interface ForeignProposalProps {
  sourceRepo: string;
  source: string;
  target: string;
}

export function ForeignProposal({ sourceRepo, source, target }: ForeignProposalProps) {
  const [owner = "", repo = ""] = sourceRepo.split("/");
  const repository = $api.useQuery("get", "/repos/{owner}/{repo}", { params: { path: { owner, repo } } });
  // The fork's own branch of that name may be behind, so this only helps with the title.
  const comparison = $api.useQuery("get", "/repos/{owner}/{repo}/compare/{basehead}", {
    params: { path: { owner, repo, basehead: `${target}...${source}` } },
  });
  if (comparison.isPending || repository.isPending) return null;
  const messages = (comparison.data?.commits ?? []).map(({ message }) => message);
  const isPrivate = repository.data?.private ?? false;
  return (
    <>
      <Notice tone={isPrivate ? "warn" : "info"}>
        {isPrivate ? text.foreignPrivate(sourceRepo) : text.foreign(sourceRepo)}{" "}
        {comparison.data ? (
          <>
            <Link to={compareAddress({ full_name: sourceRepo }, target, source)} data-inline>
              {text.lookThere(sourceRepo)}
            </Link>{" "}
          </>
        ) : null}
        <Link to={newMergeRequestAddress({ full_name: sourceRepo }, { source })} data-inline>
          {text.proposeThere(sourceRepo)}
        </Link>
      </Notice>
      <NewMergeRequestForm
        sourceRepo={sourceRepo}
        allowsEdits={repository.data?.owner.type === "user"}
        source={source}
        target={target}
        messages={messages}
      />
    </>
  );
}
