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

interface Timed {
  interval_minutes: number | null;
  cron: string | null;
  timezone: string | null;
}

/** What is given, with what `before` has of the same times; undefined: nothing was given. */
export function timesOf({ every, cron, timezone }: TimeOptions, before?: Timed) {
  if (every === undefined && cron === undefined && timezone === undefined) return undefined;
  if (every !== undefined) return omitUndefined({ interval_minutes: every, cron, timezone });
  const kept = before && keptTimes(before);
  return omitUndefined({ cron: cron ?? kept?.cron, timezone: timezone ?? kept?.timezone });
}

/** For requests that would set what they do not name to its default. */
export function keptTimes(before: Timed) {
  return omitUndefined({
    interval_minutes: before.interval_minutes ?? undefined,
    cron: before.cron ?? undefined,
    timezone: before.timezone ?? undefined,
  });
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

export function timesInWords({ interval_minutes: minutes, cron, timezone }: Timed): string {
  return cron === null ? `every ${minutes} minutes` : `${cron} ${timezone}`;
}

/** `before`: as it was before a change; the answer to one that moves its times has still the next one of before. */
export function nextSyncInWords(
  { next_sync_at: next, enabled, ...times }: Timed & { next_sync_at: string | null; enabled: boolean },
  before?: Timed,
): string {
  if (enabled && before && timesInWords(before) !== timesInWords(times)) return "follows the new times";
  return next ?? "none";
}
