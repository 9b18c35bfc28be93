/** The bytes of files, however large. */
import type { StartedProcess } from "../../../platform/processes/started-process.ts";
import { startBlob } from "../../../platform/git/objects/archive.ts";
import type { Git } from "../../../platform/git/processes/run-git.ts";
import type { SlowClient } from "../../../platform/git/processes/slow-clients.ts";
import type { RepositoryStorage } from "../../../platform/git/storage/storage.ts";
import { AppError } from "../../../platform/app-error.ts";
import type { Revalidate } from "../../../platform/http/revalidate.ts";
import type { RepositoryRef } from "../../policy/domain.ts";
import type { ContentsReader } from "./reader.ts";

export interface RawFile {
  sizeBytes: number;
  /** All of it; null for a file that is read from a process of its own. */
  bytes: Buffer | null;
  /** A process whose output is the file, read as slowly as `client` does. The caller ends it by `signal`. */
  start(client: SlowClient, signal: AbortSignal): Promise<StartedProcess>;
}

export interface RawFiles {
  /** `place` as for `ContentsReader.locate`. A symbolic link gives its text. Throws `not_found`. */
  open(
    repository: RepositoryRef,
    place: { ref: string; path: string },
    revalidate: Revalidate,
  ): Promise<RawFile>;
}

export interface RawFilesDeps {
  reader: Pick<ContentsReader, "locate" | "read">;
  git: Git;
  storage: RepositoryStorage;
}

/** Read at once up to here. */
const maxSmallBytes = 512 * 1024;

export function createRawFiles({ reader, git, storage }: RawFilesDeps): RawFiles {
  return {
    async open(repository, { ref, path }, revalidate) {
      const { entry, sha } = await reader.locate(repository, ref, path);
      revalidate(entry?.oid ?? sha);
      if (entry?.type !== "file" && entry?.type !== "symlink") throw new AppError("not_found");
      const { oid } = entry;
      const { sizeBytes, bytes } = await reader.read(repository, oid, maxSmallBytes);
      const directory = storage.directory(repository.id);
      return {
        sizeBytes,
        bytes,
        start: (client, signal) => startBlob(git.start, { directory, oid, signal, client }),
      };
    },
  };
}
