/** Files and directories as the REST interface shows them. */
import type { ContentsEntry, FileContents } from "@forgeline/schemas/contents/resource.ts";
import { parseLfsPointer } from "@forgeline/schemas/lfs/pointer.ts";
import type { GitObject } from "../../../platform/git/processes/cat-file-process.ts";
import type { TreeEntry } from "../../../platform/git/objects/tree.ts";
import type { RepositoryAddress } from "../repositories/repository-address.ts";

export interface PresentedPlace {
  address: RepositoryAddress;
  ref: string;
  path: string;
}

export function presentEntry(entry: TreeEntry, sizeBytes: number, place: PresentedPlace): ContentsEntry {
  const { address, ref, path } = place;
  const parts = path.split("/");
  return {
    type: entry.type,
    path,
    name: entry.name,
    size: sizeBytes,
    sha: entry.oid,
    executable: entry.executable,
    url: `${address.api("contents", ...parts)}?ref=${encodeURIComponent(ref)}`,
    web_url: address.web(entry.type === "directory" ? "tree" : "blob", ref, ...parts),
    download_url: entry.type === "file" ? address.api("raw", ref, ...parts) : null,
  };
}

/** `object` is undefined for a submodule, which is in another repository. */
export function presentFile(
  entry: TreeEntry,
  object: GitObject | undefined,
  place: PresentedPlace,
): FileContents {
  const shown: FileContents = presentEntry(entry, object?.sizeBytes ?? 0, place);
  if (entry.type === "symlink") return { ...shown, target: object?.bytes?.toString("utf8") ?? "" };
  if (entry.type !== "file") return shown;
  const bytes = object?.bytes;
  if (!bytes) return { ...shown, lfs: null };
  const pointer = parseLfsPointer(bytes.toString("latin1"));
  const lfs = pointer && { oid: `sha256:${pointer.oid}`, size: pointer.sizeBytes };
  return { ...shown, encoding: "base64", content: bytes.toString("base64"), lfs };
}
