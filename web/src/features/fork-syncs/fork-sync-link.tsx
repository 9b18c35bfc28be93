/** On the first page of a fork: leads to its sync while the upstream has something new, for those who may sync. */
import { RefreshCw } from "lucide-react";
import { text } from "../../text/fork-syncs.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { canWrite } from "../repositories/can-write.ts";
import { useRepository } from "../repositories/use-repository.ts";
import { useForkStanding } from "./use-fork-standing.ts";

export function ForkSyncLink() {
  const repository = useRepository();
  const { data } = useForkStanding();
  if (!canWrite(repository) || !data?.behind) return null;
  return (
    <ButtonLink to={`/${repository.full_name}/sync`} icon={<RefreshCw aria-hidden />}>
      {text.title}
    </ButtonLink>
  );
}
