/** A mirror as it is stored, from what was asked for. */
import type { MirrorSet } from "@forgeline/schemas/mirrors/resource.ts";
import type { Encryption } from "../../../platform/keys/encryption.ts";
import type { RepositoryRef } from "../../policy/domain.ts";
import { chooseLogin } from "./credentials.ts";
import type { MirrorRow, StoredMirror } from "./mirrors.store.ts";
import { readPatterns } from "./ref-patterns.ts";
import type { SourceAddress } from "./source-address.ts";
import { readTiming } from "./timing.ts";

interface Change {
  /** Of the mirror. */
  id: string;
  repository: RepositoryRef;
  source: SourceAddress;
  wanted: MirrorSet;
  before: MirrorRow | undefined;
}

/** Throws `validation_failed`. */
export async function storedMirror(
  encryption: Encryption,
  { id, repository, source, wanted, before }: Change,
): Promise<StoredMirror> {
  const login = await chooseLogin(encryption, { source, wanted, before });
  const sealed = (text: string | undefined | null) => (text ? encryption.encrypt(id, text) : null);
  return {
    ...readTiming(wanted),
    repositoryId: repository.id,
    sourceUrl: source.url,
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

/** The names of what changes, for the audit log; and whether it shall be synced at once because of that. */
export function changesOf(
  before: MirrorRow,
  after: StoredMirror,
  wanted: MirrorSet,
): { names: string[]; syncsNow: boolean } {
  const isSame: Record<string, boolean> = {
    url: before.source_url === after.sourceUrl,
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
