/**
 * Where the Git LFS of a remote repository is, and how to identify there: beside its `https` address, or where its SSH server says
 * (https://github.com/git-lfs/git-lfs/blob/main/docs/api/server-discovery.md).
 */
import { z } from "zod";
import type { Remote } from "../../../platform/git/remote/open-remote.ts";
import type { RemoteLogin, RemoteSource } from "../../../platform/git/remote/remote-source.ts";
import { sshPlaceOf } from "../../../platform/git/remote/ssh-command.ts";
import { basicAuthorization } from "../../../platform/outbound/basic-authorization.ts";
import type { RemoteSide } from "./sync-problem.ts";

export type LfsOperation = "download" | "upload";

export interface LfsAccess {
  /** Address of the API, without a slash at its end. */
  base: string;
  headers: Record<string, string>;
}

/** To be called before each request: what one SSH server says is valid for a while. */
export type FindLfs = () => Promise<LfsAccess>;

export interface LfsQuestioned {
  source: RemoteSource;
  login: RemoteLogin;
  remote: Pick<Remote, "command">;
  operation: LfsOperation;
  signal: AbortSignal;
}

const AuthenticateAnswer = z.object({
  href: z.string().max(8_192).optional(),
  header: z.record(z.string(), z.string().max(8_192)).optional(),
  expires_in: z.number().optional(),
  expires_at: z.string().optional(),
});

/** Asked once more so long before the end, and after so long where no end is said. */
const earlierMs = 60_000;
const lastsMs = 5 * 60_000;

/** Undefined where the repository has no Git LFS that we could reach. Throws `GitError` for an SSH server that is not reached. */
export async function openLfs(asked: LfsQuestioned): Promise<FindLfs | undefined> {
  const { source, login } = asked;
  if (source.protocol === "git") return undefined;
  if (source.protocol === "https") {
    const headers: Record<string, string> = login.basic
      ? { authorization: basicAuthorization(login.basic) }
      : {};
    const access = { base: besideRepository(source.url), headers };
    return () => Promise.resolve(access);
  }
  const first = await authenticate(asked);
  return first && whileItLasts(first, asked);
}

/** For example `2 Git LFS objects were`. */
export function counted(count: number): string {
  return count === 1 ? "1 Git LFS object was" : `${count} Git LFS objects were`;
}

/** Said of a sync whose repository has no Git LFS that we could reach. */
export function leftOut(count: number, side: RemoteSide, { protocol }: RemoteSource): string {
  const why = protocol === "git" ? "git:// has none" : `the ${side} does not offer it over SSH`;
  return `${counted(count)} left out: ${why}.`;
}

function whileItLasts(first: Authenticated, asked: LfsQuestioned): FindLfs {
  let known = first;
  return async () => {
    if (performance.now() > known.untilMs) known = (await authenticate(asked)) ?? known;
    return known;
  };
}

interface Authenticated extends LfsAccess {
  /** Of the monotonic clock. */
  untilMs: number;
}

async function authenticate({
  source,
  remote,
  operation,
  signal,
}: LfsQuestioned): Promise<Authenticated | undefined> {
  const words = ["git-lfs-authenticate", sshPlaceOf(source).path, operation];
  const said = await remote.command(words, signal);
  const read = AuthenticateAnswer.safeParse(parsed(said ?? ""));
  if (!read.success) return undefined;
  const { href, header = {}, ...times } = read.data;
  const { path } = sshPlaceOf(source);
  const base = href ?? besideRepository(`https://${source.host}/${path.replace(/^\/+/, "")}`);
  return { base: base.replace(/\/+$/, ""), headers: header, untilMs: performance.now() + lifetimeMs(times) };
}

function lifetimeMs({
  expires_in,
  expires_at,
}: Pick<z.infer<typeof AuthenticateAnswer>, "expires_in" | "expires_at">): number {
  if (expires_in !== undefined && expires_in > 0) return expires_in * 1000 - earlierMs;
  const at = Date.parse(expires_at ?? "");
  return (Number.isNaN(at) ? lastsMs : at - Date.now()) - earlierMs;
}

function besideRepository(url: string): string {
  return `${url.replace(/\/+$/, "").replace(/\.git$/, "")}.git/info/lfs`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
