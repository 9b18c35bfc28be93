/** Mirrors of repositories of this very instance: one of itself, or several in a circle, would never get anything. */
import type { Actor } from "../../../platform/access/actor.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import { invalidField } from "../../../platform/app-error.ts";
import type { Database } from "../../../platform/db/database.ts";
import type { RemoteSource } from "../../../platform/git/remote/remote-source.ts";
import type { RepositoryAccess, RepositoryRef } from "../../policy/domain.ts";
import { findMirror } from "./mirrors.store.ts";
import { storedSource } from "./source-address.ts";

export interface OwnSourceDeps {
  db: Database;
  addresses: Addresses;
  repositoryAccess: Pick<RepositoryAccess, "find">;
}

/** Longer chains have been made by somebody who wants them. */
const maxChain = 20;

/** Throws `validation_failed` where the chain of sources that begins with this one comes back to the repository. */
export async function refuseCircles(
  deps: OwnSourceDeps,
  actor: Actor,
  { repository, source }: { repository: RepositoryRef; source: RemoteSource },
): Promise<void> {
  let at: RemoteSource | undefined = source;
  for (let steps = 0; at && steps < maxChain; steps += 1) {
    const name = repositoryHere(at, deps.addresses);
    const found = name && (await deps.repositoryAccess.find(name.owner, name.name, actor));
    if (!found) return;
    if (found.repository.id === repository.id)
      throw invalidField(
        "url",
        "circle",
        steps === 0
          ? itself
          : "Its source is itself a mirror of this repository, directly or through others.",
      );
    const next = await findMirror(deps.db, found.repository.id);
    at = next && storedSource(next.url);
  }
}

const itself = "A repository cannot mirror itself.";

/** The name of a repository of this instance, whether there is one or not; undefined for other addresses. */
export function repositoryHere(
  { host, port, protocol, url }: RemoteSource,
  addresses: Addresses,
): { owner: string; name: string } | undefined {
  const ours = [addresses.gitHttpsUrl, addresses.gitSshUrl]
    .filter((address) => address !== null)
    .map((address) => new URL(address));
  const usual = { https: 443, ssh: 22, git: 9418 }[protocol];
  const isOurs = ours.some(
    (own) =>
      own.protocol === `${protocol}:` &&
      own.hostname === host &&
      (own.port === "" ? usual : Number(own.port)) === (port ?? usual),
  );
  const [, owner, name] = /[/:]([^/:]+)\/([^/]+?)(?:\.git)?\/?$/.exec(url) ?? [];
  return isOurs && owner !== undefined && name !== undefined
    ? { owner: decodeURIComponent(owner), name: decodeURIComponent(name) }
    : undefined;
}
