/** Reads the address of a Git LFS request: `/OWNER/REPO.git/info/lfs/…`. */
import { ownerName, repositoryName } from "@forgeline/schemas/core/ids.ts";

export type LfsPlace =
  | { kind: "batch" | "locks" | "verifyLocks" | "unknown" }
  | { kind: "unlock"; id: string }
  | { kind: "object" | "verify"; oid: string };

export interface LfsAddress {
  owner: string;
  name: string;
  place: LfsPlace;
  query: URLSearchParams;
}

/** Undefined if it is not below `info/lfs` of a possible repository name. */
export function parseLfsAddress(url: string): LfsAddress | undefined {
  const [path = "", query = ""] = url.split("?", 2);
  const match = /^\/([^/]+)\/([^/]+)\.git\/info\/lfs(\/.*)?$/.exec(path);
  if (!match) return undefined;
  const [, owner = "", name = "", rest = ""] = match;
  if (!ownerName.safeParse(owner).success || !repositoryName.safeParse(name).success) return undefined;
  return { owner, name, place: parsePlace(rest), query: new URLSearchParams(query) };
}

function parsePlace(rest: string): LfsPlace {
  if (rest === "/objects/batch") return { kind: "batch" };
  if (rest === "/locks") return { kind: "locks" };
  if (rest === "/locks/verify") return { kind: "verifyLocks" };
  const lock = /^\/locks\/([a-z]+_[0-9a-z]{1,40})\/unlock$/.exec(rest)?.[1];
  if (lock) return { kind: "unlock", id: lock };
  const object = /^\/objects\/([0-9a-f]{64})(\/verify)?$/.exec(rest);
  if (object?.[1]) return { kind: object[2] ? "verify" : "object", oid: object[1] };
  return { kind: "unknown" };
}
