/** Files and directories of a repository, shown. */
import type { ContentsEntry, FileContents } from "@forgeline/schemas/contents/resource.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import type { Revalidate } from "../../../platform/http/revalidate.ts";
import type { RepositoryRef } from "../../policy/domain.ts";
import type { CommitService } from "../commits/service.ts";
import { repositoryAddress } from "../repositories/repository-address.ts";
import { presentEntry, presentFile } from "./present.ts";
import type { ContentsReader, FoundContents } from "./reader.ts";

export interface ContentsService {
  /** The top directory; empty where the default branch is meant and there is none yet. Throws `not_found` for an unknown ref. */
  getRoot(
    repository: RepositoryRef,
    ref: string | undefined,
    revalidate: Revalidate,
  ): Promise<ContentsEntry[]>;
  /** A file with its content, or the entries of a directory. Throws `not_found`. */
  get(
    repository: RepositoryRef,
    place: { ref: string | undefined; path: string },
    revalidate: Revalidate,
  ): Promise<FileContents | ContentsEntry[]>;
}

export interface ContentsServiceDeps {
  commits: Pick<CommitService, "resolveIfBegun">;
  reader: ContentsReader;
  addresses: Addresses;
}

/** Of a file that is shown inside of JSON. */
const maxContentBytes = 10 * 1024 * 1024;

export function createContentsService(deps: ContentsServiceDeps): ContentsService {
  const { commits, reader } = deps;

  async function directory(repository: RepositoryRef, found: FoundContents): Promise<ContentsEntry[]> {
    const entries = await reader.list(repository, found);
    const address = repositoryAddress(deps.addresses, repository);
    return Promise.all(
      entries.map(async (entry) => {
        const hasSize = entry.type === "file" || entry.type === "symlink";
        const sizeBytes = hasSize ? (await reader.read(repository, entry.oid, 0)).sizeBytes : 0;
        const path = found.path === "" ? entry.name : `${found.path}/${entry.name}`;
        return presentEntry(entry, sizeBytes, { address, ref: found.ref, path });
      }),
    );
  }

  return {
    async getRoot(repository, ref, revalidate) {
      const start = await commits.resolveIfBegun(repository, ref);
      revalidate(start?.sha ?? "empty");
      if (!start) return [];
      const place = { ref: ref ?? repository.defaultBranch, sha: start.sha, path: "", entry: undefined };
      return directory(repository, place);
    },
    async get(repository, { ref, path }, revalidate) {
      const found = await reader.find(repository, ref, path);
      const { entry } = found;
      revalidate([found.ref, entry?.oid ?? found.sha, entry?.type, entry?.executable].join(" "));
      if (!entry || entry.type === "directory") return directory(repository, found);
      const object =
        entry.type === "submodule" ? undefined : await reader.read(repository, entry.oid, maxContentBytes);
      const address = repositoryAddress(deps.addresses, repository);
      return presentFile(entry, object, { address, ref: found.ref, path: found.path });
    },
  };
}
