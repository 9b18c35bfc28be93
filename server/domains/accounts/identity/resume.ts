/**
 * What is derived from a credential contains the credential's id, and is valid only while the credential is: the holder is
 * looked up again at each use.
 */
import type { Queryable } from "../../../platform/db/database.ts";
import { parseAddressRanges } from "../../../platform/network/address-ranges.ts";
import { AppError } from "../../../platform/app-error.ts";
import { anonymousActor, type Actor } from "../../../platform/access/actor.ts";
import { actorOfJob, actorOfSession, actorOfToken } from "./actors.ts";
import { findAccessTokenById, findJobByAttempt, findSessionById } from "./identity.store.ts";

const nobody = "anonymous";

export interface ResumeDeps {
  db: Queryable;
  keyHolders: { findById(keyId: string): Promise<{ actor: Actor } | undefined> };
}

/** Throws `forbidden` for those who have no credential that can be looked up again. */
export function credentialOf(actor: Actor): string {
  const id = actor.tokenId ?? actor.sessionId ?? actor.job?.attemptId ?? actor.deployKey?.id;
  if (id) return id;
  if (actor.kind === "anonymous") return nobody;
  throw new AppError("forbidden");
}

/** Throws `unauthorized` when the credential has ended, `forbidden` for an address from which it may not be used. */
export type ResumeActor = (credential: string, request: NonNullable<Actor["request"]>) => Promise<Actor>;

export function createActorResumption(deps: ResumeDeps): ResumeActor {
  return async (credential, request) => {
    if (credential === nobody) return { ...anonymousActor, request };
    const actor = await find(deps, credential, request.ipAddress);
    if (!actor)
      throw new AppError("unauthorized", {
        message: "The credential behind this request has expired or was revoked.",
      });
    return { ...actor, request };
  };
}

async function find(
  { db, keyHolders }: ResumeDeps,
  credential: string,
  ipAddress: string,
): Promise<Actor | undefined> {
  const [kind] = credential.split("_");
  if (kind === "tok") {
    const row = await findAccessTokenById(db, credential);
    if (row?.address_ranges && !parseAddressRanges(row.address_ranges.join(",")).ranges.contains(ipAddress))
      throw new AppError("forbidden", { message: "The token may not be used from this address." });
    return row && actorOfToken(row);
  }
  if (kind === "ses") {
    const row = await findSessionById(db, credential);
    return row && actorOfSession(row);
  }
  if (kind === "key") return (await keyHolders.findById(credential))?.actor;
  const row = kind === "att" ? await findJobByAttempt(db, credential) : undefined;
  return row && actorOfJob(row);
}
