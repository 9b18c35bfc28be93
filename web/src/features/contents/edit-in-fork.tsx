/** For somebody who may not change a file here: the same file in a fork of theirs, from where it can be proposed, or making one. */
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
  const isSignedIn = useSession() !== null;
  const mayPropose = isSignedIn && !canWrite(repository);
  const forks = $api.useQuery(
    "get",
    "/repos/{owner}/{repo}/forks",
    { params: { path: useRepositoryPath(), query: { per_page: looked } } },
    { enabled: mayPropose },
  );
  if (!mayPropose || forks.isPending) return null;
  const own = forks.data?.find(canWrite);
  if (!own) return <ForkButton repository={repository} />;
  return (
    <ButtonLink kind="primary" to={fileAddress(own, "edit", place)}>
      {text.editIn(own.full_name)}
    </ButtonLink>
  );
}
