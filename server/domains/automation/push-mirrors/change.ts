/** A push mirror as it is stored, from what was asked for. */
import type { PushMirrorCreate, PushMirrorUpdate } from "@forgeline/schemas/push-mirrors/resource.ts";
import { invalidField } from "../../../platform/app-error.ts";
import type { Encryption } from "../../../platform/keys/encryption.ts";
import type { RepositoryRef } from "../../policy/domain.ts";
import { changesOf, storedSettings } from "../mirrors/change.ts";
import { readSourceAddress, type SourceAddress } from "../mirrors/source-address.ts";
import type { PushMirrorRow, StoredPushMirror } from "./push-mirrors.store.ts";

/** Throws `validation_failed`. */
export function readTargetAddress(text: string, mayDial: (address: string) => boolean): SourceAddress {
  const target = readSourceAddress(text, mayDial);
  if (target.protocol === "git")
    throw invalidField("url", "not_allowed", "git:// can only be read. Use https or ssh.");
  return target;
}

/** Throws `validation_failed`. */
export async function storedPushMirror(
  encryption: Encryption,
  {
    id,
    repository,
    target,
    wanted,
    before,
  }: {
    id: string;
    repository: RepositoryRef;
    target: SourceAddress;
    wanted: PushMirrorCreate;
    before?: PushMirrorRow | undefined;
  },
): Promise<StoredPushMirror> {
  const settings = await storedSettings(encryption, { id, source: target, wanted, before });
  const { force, on_push: onPush } = wanted;
  return { ...settings, id, repositoryId: repository.id, url: target.url, force, onPush };
}

/** With everything that the change does not name as it is. */
export function completed(before: PushMirrorRow, change: PushMirrorUpdate): PushMirrorCreate {
  const { interval_minutes: minutes, cron, timezone, ...rest } = change;
  const isTimed = minutes !== undefined || cron !== undefined;
  const kept = {
    url: before.url,
    refs: before.refs,
    prune: before.prune,
    lfs: before.lfs,
    force: before.force,
    on_push: before.on_push,
    enabled: before.enabled,
  };
  const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
  const times = isTimed
    ? { interval_minutes: minutes, cron, timezone }
    : {
        interval_minutes: before.interval_minutes ?? undefined,
        cron: before.cron ?? undefined,
        timezone: before.timezone ?? undefined,
      };
  return { ...kept, ...given, ...times };
}

/** The names of what changes, for the audit log; and whether it shall be synced at once because of that. */
export function pushChangesOf(
  before: PushMirrorRow,
  after: StoredPushMirror,
  wanted: PushMirrorCreate,
): { names: string[]; syncsNow: boolean } {
  const { names, syncsNow } = changesOf(before, after, wanted);
  const more = [
    ...(before.force === after.force ? [] : ["force"]),
    ...(before.on_push === after.onPush ? [] : ["on_push"]),
  ];
  return { names: [...names, ...more], syncsNow: syncsNow || (after.force && !before.force) };
}
