/** What can be done with a repository that is there: its settings, its deletion, its change of owner. */
import { createForkService, type ForkDeps } from "../forks/forks.ts";
import { createRepositoryDeletion, type RepositoryDeletionDeps } from "./deletion.ts";
import { createRepositoryDirectories } from "./directories.ts";
import { createRepositorySettings, type RepositorySettingsDeps } from "./settings.ts";
import { createRepositoryTransfers, type RepositoryTransferDeps } from "../repository-transfers/service.ts";

/** By the names that they have in the container. */
export function createRepositoryServices(
  deps: RepositoryDeletionDeps & RepositorySettingsDeps & RepositoryTransferDeps & ForkDeps,
) {
  const repositoryDeletion = createRepositoryDeletion(deps);
  const repositoryDirectories = createRepositoryDirectories(deps);
  return {
    forks: createForkService(deps),
    repositorySettings: createRepositorySettings(deps),
    repositoryDeletion,
    repositoryDirectories,
    /** What every server does with repositories by itself. */
    repositorySweepers: [repositoryDeletion, repositoryDirectories],
    repositoryTransfers: createRepositoryTransfers(deps),
  };
}
