/** Git and what it keeps for us, put together for the container. */
import type { Config } from "../config.ts";
import { createCatFilePool } from "./cat-file.ts";
import { createExchangeSlots } from "./exchange-slots.ts";
import { createRepositoryFiles } from "./repository-files.ts";
import { createRepositoryHistory } from "./repository-history.ts";
import { createGit } from "./run-git.ts";
import { createRepositoryStorage } from "./storage.ts";

export function createGitStore(config: Pick<Config, "maxPushBytes" | "dataDir">) {
  const git = createGit({ maxPushBytes: config.maxPushBytes });
  const storage = createRepositoryStorage(config.dataDir);
  const catFiles = createCatFilePool({ startGit: git.start, maxProcesses: 32, idleMs: 60_000 });
  const files = createRepositoryFiles({ storage, runGit: git.run, catFiles });
  const history = createRepositoryHistory({ storage, git, files });
  return {
    git,
    exchangeSlots: createExchangeSlots(),
    storage,
    files,
    history,
    close: () => catFiles.close(),
  };
}
