/** Reads the address of a Git request over HTTP: `/OWNER/REPO.git/…`; `.git` may be left out. */

import { ownerName, repositoryName } from "@forgeline/schemas/core/ids.ts";

export type GitService = "upload-pack" | "receive-pack";

export interface GitAddress {
  owner: string;
  name: string;
  /** `advertise`: the list of refs; `rpc`: the exchange itself; `dumb`: files of the dumb protocol, which we do not support. */
  kind: "advertise" | "rpc" | "dumb";
  service: GitService;
}

const pattern =
  /^\/([^/]+)\/([^/]+?)(?:\.git)?\/(info\/refs|git-upload-pack|git-receive-pack|HEAD|objects\/.+)$/;

/** undefined if it is not a Git request; `url` is path and query as they were sent. */
export function parseGitAddress(method: string, url: string): GitAddress | undefined {
  const [path = "", query = ""] = url.split("?", 2);
  const match = pattern.exec(path);
  if (!match) return undefined;
  const [owner, name, what] = [decode(match[1]!), decode(match[2]!), match[3]!];
  if (!ownerName.safeParse(owner).success || !repositoryName.safeParse(name).success) return undefined;
  if (owner === undefined || name === undefined) return undefined;
  if (what === "git-upload-pack" || what === "git-receive-pack")
    return method === "POST" ? { owner, name, kind: "rpc", service: what.slice(4) as GitService } : undefined;
  // Without `.git` these are ordinary addresses of pages.
  const service = new URLSearchParams(query).get("service");
  if (what === "info/refs" && (service === "git-upload-pack" || service === "git-receive-pack"))
    return { owner, name, kind: "advertise", service: service.slice(4) as GitService };
  return path.includes(".git/") ? { owner, name, kind: "dumb", service: "upload-pack" } : undefined;
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
