/** All files of a commit as an archive. */
import type { StartedProcess } from "../../../platform/processes/started-process.ts";
import { canArchive, startArchive, type ArchiveFormat } from "../../../platform/git/objects/archive.ts";
import type { Git } from "../../../platform/git/processes/run-git.ts";
import type { SlowClient } from "../../../platform/git/processes/slow-clients.ts";
import { isObjectId, shortRefName } from "../../../platform/git/refs/names.ts";
import type { RepositoryStorage } from "../../../platform/git/storage/storage.ts";
import { invalidField } from "../../../platform/app-error.ts";
import type { Revalidate } from "../../../platform/http/revalidate.ts";
import type { RepositoryRef } from "../../policy/domain.ts";
import type { CommitService } from "../commits/service.ts";

export interface Archive {
  /** Name of the file without its extension, and of the top directory in it. */
  name: string;
  /**
   * A process whose output is the archive, read as slowly as `client` does. The caller ends it by `signal`. Throws
   * `validation_failed` where there are too many files.
   */
  start(client: SlowClient, signal: AbortSignal): Promise<StartedProcess>;
}

export interface Archives {
  /** Throws `not_found` for an unknown ref. */
  open(
    repository: RepositoryRef,
    wanted: { ref: string; format: ArchiveFormat },
    revalidate: Revalidate,
  ): Promise<Archive>;
}

export interface ArchivesDeps {
  commits: Pick<CommitService, "resolve">;
  git: Git;
  storage: RepositoryStorage;
}

export function createArchives({ commits, git, storage }: ArchivesDeps): Archives {
  return {
    async open(repository, { ref: asked, format }, revalidate) {
      const { ref, sha } = await commits.resolve(repository, asked);
      const label = isObjectId(asked) ? sha : shortRefName(ref);
      // Plain characters only: the name stands in a header and becomes a directory on other systems.
      const name = `${repository.name}-${label}`.replaceAll(/[^A-Za-z0-9._-]/g, "-");
      revalidate(`${sha} ${name}`);
      const directory = storage.directory(repository.id);
      return {
        name,
        async start(client, signal) {
          if (!(await canArchive(git.start, directory, sha))) {
            const message = "There are too many files for an archive; clone the repository instead.";
            throw invalidField("ref", "too_large", message);
          }
          return startArchive(git.start, { directory, sha, format, prefix: name, signal, client });
        },
      };
    },
  };
}
