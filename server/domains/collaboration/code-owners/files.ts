/** Finds the CODEOWNERS file of a commit, and what it says. */
import {
  codeOwnersLimits,
  codeOwnersPlaces,
  type CodeOwnersFile,
} from "@forgeline/compiler/code-owners/file.ts";
import { parseCodeOwners, tooLargeFile } from "@forgeline/compiler/code-owners/parse.ts";
import type { RepositoryFiles } from "../../../platform/git/storage/repository-files.ts";
import { createLruMap } from "../../../platform/sockets/lru-map.ts";

/** So many files that were asked for last are kept as they were read, unless they are large. */
const maxKept = 16;
const maxKeptBytes = 256 * 1024;

export interface FoundCodeOwners {
  path: string;
  said: CodeOwnersFile;
}

export interface ReadCodeOwners {
  /** Empty for a file that is too large. */
  text: string;
  said: CodeOwnersFile;
}

export interface CodeOwnersFiles {
  /** undefined where the commit has no such file. */
  find(repositoryId: string, sha: string): Promise<FoundCodeOwners | undefined>;
  findText(repositoryId: string, sha: string): Promise<(FoundCodeOwners & ReadCodeOwners) | undefined>;
}

export function createCodeOwnersFiles(files: RepositoryFiles): CodeOwnersFiles {
  const kept = createLruMap<CodeOwnersFile>(maxKept);

  async function locate(repositoryId: string, sha: string) {
    const found = await Promise.all(
      codeOwnersPlaces.map(async (path) => {
        const file = await files.readFile(repositoryId, { sha, path, maxBytes: 0 });
        return file && { path, oid: file.oid };
      }),
    );
    return found.find((each) => each !== undefined);
  }

  async function read(repositoryId: string, { path, oid }: { path: string; oid: string }) {
    const object = await files.readObject(repositoryId, oid, codeOwnersLimits.bytes);
    if (!object?.bytes) return { path, text: "", said: tooLargeFile() };
    const text = object.bytes.toString("utf8");
    const parse = () => parseCodeOwners(text);
    return { path, text, said: object.sizeBytes > maxKeptBytes ? parse() : kept.get(oid, parse) };
  }

  return {
    async find(repositoryId, sha) {
      const at = await locate(repositoryId, sha);
      if (!at) return undefined;
      const said = kept.peek(at.oid);
      return said ? { path: at.path, said } : read(repositoryId, at);
    },
    async findText(repositoryId, sha) {
      const at = await locate(repositoryId, sha);
      return at && read(repositoryId, at);
    },
  };
}
