/** One page of the branches or tags of a repository, by name, however many there are. */
import { createHash } from "node:crypto";
import { readRecords } from "../processes/read-records.ts";
import type { StartGit } from "../processes/run-git.ts";

export interface ListedRef {
  /** Full name. */
  ref: string;
  /** The object that the ref names; of an annotated tag, the tag. */
  oid: string;
}

export interface RefPage {
  refs: ListedRef[];
  total: number;
  /** Changes whenever any of the listed refs does. */
  version: string;
}

/** Refs that name no commit are left out. */
export async function listRefs(
  startGit: StartGit,
  directory: string,
  page: { kind: "heads" | "tags"; offset: number; limit: number },
): Promise<RefPage> {
  const hash = createHash("sha256");
  const refs: ListedRef[] = [];
  let total = 0;
  await readRecords(startGit, {
    directory,
    args: [
      "for-each-ref",
      "--format=%(objectname) %(objecttype) %(*objecttype) %(refname)",
      `refs/${page.kind}`,
    ],
    separator: "\n",
    onRecord(record) {
      const [oid = "", type = "", peeledType = "", ...name] = record.toString("utf8").split(" ");
      if (type !== "commit" && peeledType !== "commit") return;
      hash.update(record).update("\n");
      if (total >= page.offset && refs.length < page.limit) refs.push({ ref: name.join(" "), oid });
      total += 1;
    },
  });
  return { refs, total, version: hash.digest("base64url") };
}
