/** What can be done with a repository that is there: its settings, its deletion, its change of owner. */
import { createForkService, type ForkDeps } from "./forks.ts";
import { createRepositoryDeletion, type RepositoryDeletionDeps } from "./deletion.ts";
import { createRepositorySettings, type RepositorySettingsDeps } from "./settings.ts";
import { createRepositoryTransfers, type RepositoryTransferDeps } from "./transfers.ts";

/** By the names that they have in the container. */
export function createRepositoryServices(
  deps: RepositoryDeletionDeps & RepositorySettingsDeps & RepositoryTransferDeps & ForkDeps,
) {
  return {
    forks: createForkService(deps),
    repositorySettings: createRepositorySettings(deps),
    repositoryDeletion: createRepositoryDeletion(deps),
    repositoryTransfers: createRepositoryTransfers(deps),
  };
}
