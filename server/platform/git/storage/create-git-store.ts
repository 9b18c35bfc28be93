/** Wires Git and its storage for the container. */
import type { Config } from "../../../config/config.ts";
import { withoutCaller, createGitAdmission } from "../processes/admission.ts";
import { createCapabilities } from "../transfer/capabilities.ts";
import { createCatFilePool } from "../processes/cat-file.ts";
import type { InstanceKeys } from "../../keys/instance-keys.ts";
import type { Metrics } from "../../metrics.ts";
import type { LiveProcesses } from "../../live-processes.ts";
import type { ProcessStarter } from "../../processes/process-starter.ts";
import { createRefListing } from "../refs/ref-listing.ts";
import { createRequestMemory } from "../processes/request-memory.ts";
import { createRepositoryFiles } from "./repository-files.ts";
import { createRepositoryHistory } from "./repository-history.ts";
import { createWantFilter } from "../transfer/wants.ts";
import { createGit } from "../processes/run-git.ts";
import { createRepositoryStorage } from "./storage.ts";

const maxReaders = 32;

export interface GitStoreParts {
  instanceKeys: Pick<InstanceKeys, "derived">;
  presence: LiveProcesses;
  starter?: ProcessStarter | undefined;
}

export function createGitStore(
  config: Pick<
    Config,
    "maxPushBytes" | "dataDir" | "gitExchanges" | "gitQuestions" | "gitBackground" | "mirrorSyncs"
  >,
  metrics: Metrics,
  { instanceKeys, presence, starter }: GitStoreParts,
) {
  const certificateKey = () => instanceKeys.derived("push_certificate")[0];
  const admission = createGitAdmission(
    {
      exchanges: config.gitExchanges,
      questions: config.gitQuestions,
      background: config.gitBackground,
      readers: maxReaders,
      remotes: config.mirrorSyncs,
    },
    metrics,
  );
  const { maxPushBytes } = config;
  const git = createGit({ maxPushBytes, certificateKey, presence, admission, ...(starter && { starter }) });
  const storage = createRepositoryStorage(config.dataDir);
  const catFiles = createCatFilePool({
    startGit: (start) => withoutCaller(() => git.start({ ...start, isReader: true })),
    maxProcesses: maxReaders,
    idleMs: 60_000,
  });
  const files = createRepositoryFiles({ storage, runGit: git.run, catFiles });
  const history = createRepositoryHistory({ storage, git, files });
  return {
    git,
    /** What every entry point needs for an exchange. */
    exchanges: {
      exchangeSlots: admission.exchanges,
      capabilities: createCapabilities(git),
      listRefs: createRefListing(catFiles),
      wantFilter: createWantFilter(git, catFiles),
      requestMemory: createRequestMemory(metrics),
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
