/** Git and what it keeps for us, put together for the container. */
import type { Config } from "../config.ts";
import { createCapabilities } from "./capabilities.ts";
import { createCatFilePool } from "./cat-file.ts";
import type { InstanceKey } from "../platform/instance-key.ts";
import type { Metrics } from "../platform/metrics.ts";
import type { Presence } from "../platform/presence.ts";
import type { ProcessStarter } from "../platform/processes/process-starter.ts";
import { createExchangeGate } from "./exchange-gate.ts";
import { createRefListing } from "./ref-listing.ts";
import { createRepositoryFiles } from "./repository-files.ts";
import { createRepositoryHistory } from "./repository-history.ts";
import { createGit } from "./run-git.ts";
import { createRepositoryStorage } from "./storage.ts";

export interface GitStoreParts {
  instanceKey: InstanceKey;
  presence: Presence;
  starter?: ProcessStarter | undefined;
}

export function createGitStore(
  config: Pick<Config, "maxPushBytes" | "dataDir" | "gitExchanges">,
  metrics: Metrics,
  { instanceKey, presence, starter }: GitStoreParts,
) {
  const certificateKey = instanceKey.derive("push_certificate");
  const { maxPushBytes } = config;
  const git = createGit({ maxPushBytes, certificateKey, presence, ...(starter && { starter }) });
  const storage = createRepositoryStorage(config.dataDir);
  const catFiles = createCatFilePool({ startGit: git.start, maxProcesses: 32, idleMs: 60_000 });
  const files = createRepositoryFiles({ storage, runGit: git.run, catFiles });
  const history = createRepositoryHistory({ storage, git, files });
  return {
    git,
    /** What every door needs for an exchange. */
    exchanges: {
      exchangeGate: createExchangeGate(config.gitExchanges, metrics),
      capabilities: createCapabilities(git),
      listRefs: createRefListing(catFiles),
    },
    storage,
    files,
    history,
    catFiles,
    close() {
      catFiles.close();
      git.close();
    },
  };
}
