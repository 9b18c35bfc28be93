/**
 * How the runner gets at a submodule's repository. On this server it is as for the job's own repository, with the job's token, which
 * opens what is public besides. Elsewhere there are no credentials, and only addresses that jobs may reach: the runner is in
 * networks that its jobs are not.
 */
import { isIP } from "node:net";
import { reachedAt } from "../../config.ts";
import { addressesOf } from "../../egress/server-addresses.ts";
import type { EgressSettings } from "../../egress/settings.ts";
import { lookUpTarget } from "../../egress/target.ts";
import { type GitAccess, GitError } from "../git.ts";

export interface SubmoduleServers {
  /** Access to the job's own repository. */
  own: GitAccess;
  /** Its address for everyone; `own.url` is the one that this machine reaches. */
  publicUrl: string;
  egress: Pick<EgressSettings, "mode" | "allow">;
}

/** On the server that the run belongs to. */
export function isOwnServer(url: URL, { own, publicUrl }: SubmoduleServers): boolean {
  return [own.url, publicUrl].some((known) => new URL(known).origin === url.origin);
}

/** Throws `GitError` where jobs may not reach it. */
export async function accessTo(
  url: URL,
  servers: SubmoduleServers,
  resolve: (host: string) => Promise<string[]> = addressesOf,
): Promise<GitAccess> {
  const { own, egress } = servers;
  if (isOwnServer(url, servers)) return { ...own, url: reachedAt(url.href, new URL(own.url).origin) };
  const access = { baseEnv: own.baseEnv, url: url.href, token: null, caFile: null };
  if (egress.mode === "open") return access;
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const port = url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port);
  const { addresses, refusal } = await lookUpTarget({ host, port }, egress, resolve);
  if (addresses.length === 0) throw new GitError(`the runner cannot resolve ${host}`, null);
  if (refusal !== null) throw new GitError(`its server ${refusal}`, null);
  if (isIP(host) !== 0) return access;
  const places = addresses.map((address) => (address.includes(":") ? `[${address}]` : address));
  return { ...access, pinned: `${host}:${String(port)}:${places.join(",")}` };
}
