/** What is stored of the settings of a mirror, of either direction, and what a change of them is. */
import type { MirrorPreviewRequest } from "@forgeline/schemas/mirrors/resource.ts";
import type { Encryption } from "../../../platform/keys/encryption.ts";
import { chooseLogin, type KnownLogin } from "./credentials.ts";
import { readPatterns } from "./ref-patterns.ts";
import type { SourceAddress } from "./source-address.ts";
import { readTiming, type Timing } from "./timing.ts";

export interface RemoteSettings extends Timing {
  refs: readonly string[];
  prune: boolean;
  lfs: boolean;
  enabled: boolean;
  username: string | null;
  sealedPassword: Buffer | null;
  sealedSshKey: Buffer | null;
  publicKey: string | null;
  hostKey: string | null;
}

/** As it is asked for; the address has been read. */
export interface WantedSettings extends Omit<MirrorPreviewRequest, "url"> {
  interval_minutes?: number | undefined;
  cron?: string | undefined;
  timezone?: string | undefined;
  lfs: boolean;
  enabled: boolean;
}

/** Throws `validation_failed`. `before` is what the mirror has now. */
export async function storedSettings(
  encryption: Encryption,
  {
    id,
    source,
    wanted,
    before,
  }: { id: string; source: SourceAddress; wanted: WantedSettings; before: KnownLogin | undefined },
): Promise<RemoteSettings> {
  const login = await chooseLogin(encryption, { source, wanted, before });
  const sealed = (text: string | undefined | null) => (text ? encryption.encrypt(id, text) : null);
  return {
    ...readTiming(wanted),
    refs: readPatterns(wanted.refs),
    prune: wanted.prune,
    lfs: wanted.lfs,
    enabled: wanted.enabled,
    username: login.basic?.username ?? null,
    sealedPassword: sealed(login.basic?.password),
    sealedSshKey: sealed(login.privateKey),
    publicKey: login.publicKey,
    hostKey: login.hostKey,
  };
}

/** What `changesOf` compares. */
export interface KnownSettings {
  url: string;
  interval_minutes: number | null;
  cron: string | null;
  timezone: string | null;
  refs: string[];
  prune: boolean;
  lfs: boolean;
  enabled: boolean;
  username: string | null;
  public_key: string | null;
  host_key: string | null;
  failures: number;
}

/** The names of what changes, for the audit log; and whether it shall be synced at once because of that. */
export function changesOf(
  before: KnownSettings,
  after: RemoteSettings & { url: string },
  wanted: Pick<WantedSettings, "credentials">,
): { names: string[]; syncsNow: boolean } {
  const isSame: Record<string, boolean> = {
    url: before.url === after.url,
    interval_minutes: before.interval_minutes === after.intervalMinutes,
    cron: before.cron === after.cron && before.timezone === after.timezone,
    refs: before.refs.join(" ") === after.refs.join(" "),
    prune: before.prune === after.prune,
    lfs: before.lfs === after.lfs,
    enabled: before.enabled === after.enabled,
    // One that is given may be the one that is stored; nobody is told which.
    credentials: before.username === after.username && !wanted.credentials,
    ssh_key: before.public_key === after.publicKey,
    host_key: before.host_key === after.hostKey,
  };
  const names = Object.keys(isSame).filter((name) => isSame[name] === false);
  const quiet = ["interval_minutes", "cron"];
  return { names, syncsNow: before.failures > 0 || names.some((name) => !quiet.includes(name)) };
}
