/** What a viewer wants to know of both sides of a changed file before it shows a difference. */
import type { ListedChange } from "../../../platform/git/history/listed-changes.ts";
import type { FileSide } from "../../../platform/git/history/tree-difference.ts";
import type { RepositoryFiles } from "../../../platform/git/storage/repository-files.ts";
import type { RepositoryHistory } from "../../../platform/git/storage/repository-history.ts";
import { mayBePointer, parsePointer } from "../lfs/pointers.ts";
import { generatedAttribute, isGenerated } from "../statistics/linguist/is-generated.ts";

export interface FileFacts {
  /** null where there is no such side, and for submodules. */
  sizeBefore: number | null;
  sizeAfter: number | null;
  /** Either side stands for an object in Git LFS. */
  isLfs: boolean;
  isGenerated: boolean;
}

export interface FileFactsDeps {
  files: Pick<RepositoryFiles, "readObject">;
  history: Pick<RepositoryHistory, "attributeOfPaths">;
}

/** In the order of the files. `after`: full id of the commit whose `.gitattributes` count. */
export type ReadFileFacts = (
  repositoryId: string,
  after: string,
  changes: readonly ListedChange[],
) => Promise<FileFacts[]>;

/** What is read of the contents after a change, to tell whether a tool made them; of others the name alone says it. */
const maxReadBytes = 1024 * 1024;
const maxReadBytesOfAll = 16 * 1024 * 1024;

export function createFileFacts({ files, history }: FileFactsDeps): ReadFileFacts {
  async function sizeOf(repositoryId: string, side: FileSide | null): Promise<number | null> {
    if (!side || side.kind === "submodule") return null;
    return (await files.readObject(repositoryId, side.oid, 0))?.sizeBytes ?? null;
  }

  /** Empty for what is not to be read. */
  async function bytesOf(repositoryId: string, side: FileSide | null, isWanted: boolean): Promise<Buffer> {
    const object =
      side && isWanted ? await files.readObject(repositoryId, side.oid, maxReadBytes) : undefined;
    return object?.bytes ?? Buffer.alloc(0);
  }

  async function sidesOf(repositoryId: string, changes: readonly ListedChange[]) {
    const sizes = await Promise.all(
      changes.map(async ({ before, after }) => ({
        before: await sizeOf(repositoryId, before),
        after: await sizeOf(repositoryId, after),
      })),
    );
    const isRead = withinBudget(sizes.map(({ after }) => after ?? 0));
    return Promise.all(
      changes.map(async ({ before, after }, index) => {
        const size = sizes[index]!;
        const [old, now] = await Promise.all([
          bytesOf(repositoryId, before, mayBePointer(size.before ?? 0)),
          bytesOf(repositoryId, after, isRead[index]!),
        ]);
        return { size, now, isLfs: isPointer(old) || isPointer(now) };
      }),
    );
  }

  return async (repositoryId, after, changes) => {
    const paths = changes.map(({ path }) => path);
    const [attributes, sides] = await Promise.all([
      history.attributeOfPaths(repositoryId, { sha: after, paths, name: generatedAttribute }),
      sidesOf(repositoryId, changes),
    ]);
    return sides.map(({ size, now, isLfs }, index) => {
      const path = paths[index]!;
      return {
        sizeBefore: size.before,
        sizeAfter: size.after,
        isLfs,
        isGenerated: isGenerated(path, attributes.get(path), now),
      };
    });
  };
}

/** For each size whether that much may be read beside what comes before it. What may be a pointer always is. */
function withinBudget(sizes: readonly number[]): boolean[] {
  let sum = 0;
  return sizes.map((size) => {
    if (mayBePointer(size)) return true;
    if (size > maxReadBytes || sum + size > maxReadBytesOfAll) return false;
    sum += size;
    return true;
  });
}

function isPointer(bytes: Buffer): boolean {
  return mayBePointer(bytes.length) && parsePointer(bytes) !== undefined;
}
