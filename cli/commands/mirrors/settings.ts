/** Options about the other side of a mirror, of either direction. */
import type { Command } from "commander";
import { UsageError } from "../../connection/settings.ts";
import { parseCount } from "../../options/count.ts";
import { readSecretFile } from "../../options/read-file.ts";
import { omitUndefined } from "../../options/omit-undefined.ts";

export interface RemoteOptions {
  refs?: string;
  prune?: boolean;
  username?: string;
  passwordFile?: string;
  credentials?: boolean;
  newSshKey?: boolean;
  hostKey?: string;
}

export interface TimeOptions {
  every?: number;
  cron?: string;
  timezone?: string;
}

export function addLoginOptions(command: Command): Command {
  return command
    .option("--username <name>", "user name, for https")
    .option("--password-file <file>", "file with the password or token, for https")
    .option("--no-credentials", "use none")
    .option("--new-ssh-key", "make a new key, for ssh")
    .option("--host-key <key>", "the only host key to accept, for ssh; next: the one that is shown next");
}

export function addTimeOptions(command: Command): Command {
  return command
    .option("--every <minutes>", "sync at this interval, from 5 minutes (default: 60)", parseCount)
    .option("--cron <line>", "sync at these times, in place of an interval")
    .option("--timezone <name>", "of --cron, such as Europe/Berlin (default: UTC)");
}

/** Undefined: as before. */
export function timesOf({ every, cron, timezone }: TimeOptions) {
  if (every === undefined && cron === undefined && timezone === undefined) return undefined;
  return omitUndefined({ interval_minutes: every, cron, timezone });
}

/** `before`: the user name that is known already. */
export async function remoteOf(options: RemoteOptions, before: { username: string | null } | undefined) {
  const { username, passwordFile } = options;
  if (username === undefined && passwordFile !== undefined)
    throw new UsageError("--password-file needs --username");
  if (username !== undefined && passwordFile === undefined && username !== before?.username)
    throw new UsageError("--username needs --password-file");
  const credentials =
    username !== undefined && passwordFile !== undefined
      ? { username, password: await readSecretFile(passwordFile) }
      : undefined;
  return omitUndefined({
    refs: options.refs?.split(",").map((ref) => ref.trim()),
    credentials: options.credentials === false ? null : credentials,
    ssh_key: options.newSshKey ? ("generate" as const) : undefined,
    host_key: options.hostKey === "next" ? null : options.hostKey,
  });
}

interface Timed {
  interval_minutes: number | null;
  cron: string | null;
  timezone: string | null;
}

export function timesInWords({ interval_minutes: minutes, cron, timezone }: Timed): string {
  return cron === null ? `every ${minutes} minutes` : `${cron} ${timezone}`;
}
