/** Which repository a command means: `--repo OWNER/NAME`, or the Forgeline remote of the checkout we are in. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { UsageError } from "./settings.ts";

export interface RepositoryName {
  owner: string;
  repo: string;
}

/** What to say of a run that the server does not show. */
export function runNotFoundText({ owner, repo }: RepositoryName, run: string): string {
  return `${owner}/${repo} has no run ${run}, or you may not see it`;
}

export async function findRepository(flag: string | undefined, url: string): Promise<RepositoryName> {
  if (flag !== undefined) return parseRepository(flag);
  for (const remote of await remoteUrls()) {
    const name = nameFromRemote(remote, url);
    if (name) return name;
  }
  throw new UsageError(
    `which repository? Use --repo OWNER/NAME, or run inside a clone whose remote is ${url}`,
  );
}

export function parseRepository(text: string): RepositoryName {
  const [owner, repo, ...rest] = text.split("/");
  if (!owner || !repo || rest.length > 0) throw new UsageError(`"${text}" is not of the form OWNER/NAME`);
  return { owner, repo };
}

/** The name in a remote address of this server; undefined for another server's. Ports count, user names do not. */
export function nameFromRemote(remote: string, serverUrl: string): RepositoryName | undefined {
  const parsed = URL.canParse(remote) ? new URL(remote) : undefined;
  if (!parsed || parsed.host !== new URL(serverUrl).host) return undefined;
  const match = /^\/([^/]+)\/([^/]+?)(?:\.git)?\/?$/.exec(parsed.pathname);
  return match?.[1] && match[2] ? { owner: match[1], repo: match[2] } : undefined;
}

async function remoteUrls(): Promise<string[]> {
  try {
    const { stdout } = await promisify(execFile)("git", ["config", "--get-regexp", "^remote\\..*\\.url$"]);
    return stdout
      .split("\n")
      .map((line) => line.slice(line.indexOf(" ") + 1))
      .filter(Boolean);
  } catch {
    return [];
  }
}
