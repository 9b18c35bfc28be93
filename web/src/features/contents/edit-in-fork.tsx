/** For somebody who may not change a file here: the same file in a fork of theirs, from where it can be proposed, or making one. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { $api } from "../../api/client.ts";
import { useSession } from "../../api/session.ts";
import { text } from "../../text/contents.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { ForkButton } from "../create/fork-button.tsx";
import { fileAddress } from "../repositories/addresses.ts";
import { canWrite } from "../repositories/can-write.ts";
import { useRepository, useRepositoryPath } from "../repositories/use-repository.ts";
import type { FilePlace } from "./use-file-place.ts";

const looked = 100;

export function EditInFork({ place }: { place: FilePlace }) {
  const repository = useRepository();
  const session = useSession();
  const mayPropose = session !== null && !canWrite(repository);
  const forks = $api.useQuery(
    "get",
    "/repos/{owner}/{repo}/forks",
    { params: { path: useRepositoryPath(), query: { per_page: looked } } },
    { enabled: mayPropose },
  );
  if (!mayPropose || forks.isPending) return null;
  const fork = choose(forks.data ?? [], session.user.username);
  if (!fork) return <ForkButton repository={repository} />;
  // A fork need not have a default branch of the same name.
  const ref = place.ref === repository.default_branch ? fork.default_branch : place.ref;
  return (
    <ButtonLink kind="primary" to={fileAddress(fork, "edit", { ...place, ref })}>
      {text.editIn(fork.full_name)}
    </ButtonLink>
  );
}

/** Their own before those of others that they may write to. */
function choose(forks: readonly Schemas["Repository"][], username: string) {
  const writable = forks.filter(canWrite);
  return writable.find(({ owner }) => owner.name === username) ?? writable[0];
}
