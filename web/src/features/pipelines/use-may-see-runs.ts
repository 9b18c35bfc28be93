import { useSession } from "../../api/session.ts";
import { useRepository } from "../repositories/use-repository.ts";

/** Whether the viewer may see the runs of the repository that the address names: asking for them would be refused else. */
export function useMaySeeRuns(): boolean {
  const session = useSession();
  const { public_pipelines: isOpen } = useRepository();
  return isOpen || session !== null;
}
