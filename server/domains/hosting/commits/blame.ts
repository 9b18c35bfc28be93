/** Which commit each line of a text file comes from. */
import type { Blame } from "@forgeline/schemas/commits/resource.ts";
import type { RepositoryHistory } from "../../../platform/git/storage/repository-history.ts";
import { AppError, invalidField } from "../../../platform/app-error.ts";
import type { Revalidate } from "../../../platform/http/revalidate.ts";
import type { RepositoryRef } from "../../policy/domain.ts";
import type { ContentsReader, FoundContents } from "../contents/reader.ts";
import { looksBinary } from "../contents/text.ts";
import type { CommitService } from "./service.ts";

export interface BlameService {
  /**
   * `place` as for `ContentsReader.locate`. Throws `not_found` for anything but a file, `validation_failed` for a file that is
   * too large or not text.
   */
  get(
    repository: RepositoryRef,
    place: { ref: string; path: string },
    revalidate: Revalidate,
  ): Promise<Blame>;
}

export interface BlameDeps {
  commits: Pick<CommitService, "show">;
  reader: Pick<ContentsReader, "locate" | "read">;
  history: Pick<RepositoryHistory, "blame">;
}

const maxBytes = 1024 * 1024;

export function createBlameService(deps: BlameDeps): BlameService {
  async function textFileOf(repository: RepositoryRef, { entry }: FoundContents) {
    if (entry?.type !== "file") throw new AppError("not_found");
    const object = await deps.reader.read(repository, entry.oid, maxBytes);
    if (!object.bytes || looksBinary(object.bytes)) {
      const message = "Only text files of up to 1 MiB are supported.";
      throw invalidField("path", "unsupported", message);
    }
    return entry;
  }

  return {
    async get(repository, { ref, path }, revalidate) {
      const found = await deps.reader.locate(repository, ref, path);
      revalidate(found.sha);
      const file = await textFileOf(repository, found);
      const ranges = await deps.history.blame(repository.id, found.sha, found.path);
      const shas = [...new Set(ranges.map((range) => range.sha))];
      return {
        path: found.path,
        sha: file.oid,
        ranges: ranges.map((range) => ({
          start_line: range.startLine,
          end_line: range.endLine,
          commit: range.sha,
          path: range.path,
        })),
        commits: await deps.commits.show(repository, shas),
      };
    },
  };
}
