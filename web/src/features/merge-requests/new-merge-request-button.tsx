/** Leads to where one is created: for a fork that is what it was forked from, and otherwise the repository itself. */
import { GitPullRequestArrow } from "lucide-react";
import { useSession } from "../../api/session.ts";
import { text } from "../../text/merge-requests.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { useRepository } from "../repositories/use-repository.ts";
import { proposalAddress } from "./addresses.ts";

export function NewMergeRequestButton() {
  const repository = useRepository();
  const isSignedIn = useSession() !== null;
  if (!isSignedIn || repository.archived) return null;
  return (
    <ButtonLink kind="primary" icon={<GitPullRequestArrow aria-hidden />} to={proposalAddress(repository)}>
      {text.new}
    </ButtonLink>
  );
}
