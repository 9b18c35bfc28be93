/** Reads by an earlier address: of a repository that was renamed, or of a record that went elsewhere. */
import { AppError } from "../../platform/app-error.ts";
import type { RepositoryRef } from "../../domains/policy/domain.ts";
import type { RouteContract } from "@forgeline/schemas/core/route.ts";

interface Redirect {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Undefined unless something is read by an earlier name of the repository. */
export function currentAddress(
  { contract, url }: { contract: RouteContract; url: URL },
  repository: RepositoryRef | undefined,
): Redirect | undefined {
  if (contract.method !== "get" || !repository?.moved) return undefined;
  const { owner, name } = repository;
  const [root, api, version, repos, , , ...rest] = url.pathname.split("/");
  const names = [owner, name].map(encodeURIComponent);
  const location = new URL(url);
  location.pathname = [root, api, version, repos, ...names, ...rest].join("/");
  return redirect(location.href, `The repository is now ${owner}/${name}.`);
}

/** Undefined unless the error says where the record is now. */
export function movedRecord(error: unknown): Redirect | undefined {
  if (!(error instanceof AppError) || error.options.movedTo === undefined) return undefined;
  return redirect(error.options.movedTo, "It is at another address now.");
}

/** Must not be cached: something else may take the name, and what moved may move back. */
function redirect(location: string, message: string): Redirect {
  const body = JSON.stringify({ message, url: location });
  return { status: 301, headers: { Location: location, "Cache-Control": "no-store" }, body };
}
