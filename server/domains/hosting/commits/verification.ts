/**
 * Whether the signatures of commits are those of people here. Asked each time: keys and addresses come and go, commits stay.
 * A signature counts for a commit only where the committer's address is a verified one of the key's owner.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { CommitVerification } from "@forgeline/schemas/commits/verification.ts";
import type { Database } from "../../../platform/db/database.ts";
import {
  committerEmailOf,
  judgeCommit,
  type JudgedCommit,
} from "../../../platform/git/signatures/judge-commit.ts";
import { keyIdOfSignature, type OpenPgpSignature } from "../../../platform/git/signatures/openpgp.ts";
import type { CommitSigners, OpenPgpSigner, Signer } from "../../accounts/domain.ts";
import { findKeys } from "./signing-keys.store.ts";

export interface CommitToVerify {
  bytes: Buffer;
  /** As the commit is shown. */
  committerEmail: string;
}

export interface CommitVerifier {
  /** In the same order; a fixed number of statements for all of them. */
  verify(commits: readonly CommitToVerify[]): Promise<CommitVerification[]>;
}

interface Judged {
  verdict: JudgedCommit;
  /** Undefined where the object and what is shown of it differ. */
  email: string | undefined;
}

export function createCommitVerifier(deps: { db: Database; signers: CommitSigners }): CommitVerifier {
  return {
    async verify(commits) {
      const judged: Judged[] = [];
      for (const commit of commits) {
        judged.push({ verdict: judgeCommit(commit.bytes), email: emailOf(commit) });
        // Checking a signature takes the time of some requests, and so may reading a large commit.
        await nextTurn();
      }
      const bySsh = await sshOwners(deps, judged);
      const byOpenPgp = await judgeOpenPgp(deps.signers, judged);
      return judged.map((each, at) => byOpenPgp[at] ?? conclude(each, bySsh));
    },
  };
}

function emailOf({ bytes, committerEmail }: CommitToVerify): string | undefined {
  return committerEmailOf(bytes) === committerEmail ? committerEmail : undefined;
}

interface SshOwners {
  people: ReadonlyMap<string, Signer>;
  ours: ReadonlySet<string>;
}

async function sshOwners(
  { db, signers }: { db: Database; signers: CommitSigners },
  judged: readonly Judged[],
): Promise<SshOwners> {
  const signed = judged.flatMap(({ verdict, email = "" }) =>
    verdict.state === "ssh" ? [{ fingerprint: verdict.fingerprint, email }] : [],
  );
  if (signed.length === 0) return { people: new Map(), ours: new Set() };
  const fingerprints = signed.map(({ fingerprint }) => fingerprint);
  const emails = signed.map(({ email }) => email);
  const [people, ours] = await Promise.all([
    signers.bySshKey(fingerprints, emails),
    findKeys(db, fingerprints),
  ]);
  return { people, ours };
}

/** Undefined for those that have no such signature. */
async function judgeOpenPgp(
  signers: CommitSigners,
  judged: readonly Judged[],
): Promise<(CommitVerification | undefined)[]> {
  const signed = await Promise.all(
    judged.map(async ({ verdict, email = "" }) => {
      if (verdict.state !== "openpgp") return undefined;
      return {
        signature: verdict.signature,
        email,
        keyId: await keyIdOfSignature(verdict.signature.armored),
      };
    }),
  );
  const wanted = signed.flatMap((each) => (each?.keyId ? [{ keyId: each.keyId, email: each.email }] : []));
  const find = await signers.byOpenPgpKey(wanted);
  const verified: (CommitVerification | undefined)[] = [];
  for (const [at, each] of signed.entries()) {
    if (!each) verified.push(undefined);
    else if (each.keyId === undefined) verified.push(failed("invalid"));
    else {
      verified.push(await concludeOpenPgp(find(each.keyId, each.email), each.signature, judged[at]!.email));
      // The library may never have waited for anything.
      await nextTurn();
    }
  }
  return verified;
}

async function concludeOpenPgp(
  key: OpenPgpSigner | undefined,
  signature: OpenPgpSignature,
  email: string | undefined,
): Promise<CommitVerification> {
  if (!key) return failed("unknown_key");
  const verdict = await key.judge(signature);
  const about = { ...nothing, key_fingerprint: key.fingerprint };
  if (verdict !== "valid") return { ...about, verified: false, reason: verdict };
  return { ...about, ...byOwner(key, email) };
}

const nothing = { signer: null, key_fingerprint: null, made_here: false } as const;

function failed(reason: Exclude<CommitVerification["reason"], "valid">): CommitVerification {
  return { ...nothing, verified: false, reason };
}

function conclude({ verdict, email }: Judged, { people, ours }: SshOwners): CommitVerification {
  // Those with an OpenPGP signature have been judged by its key.
  if (verdict.state === "openpgp") return failed("unsupported");
  if (verdict.state !== "ssh") return failed(verdict.state);
  const key = { ...nothing, key_fingerprint: verdict.fingerprint };
  if (ours.has(verdict.fingerprint)) return { ...key, verified: true, reason: "valid", made_here: true };
  return { ...key, ...byOwner(people.get(verdict.fingerprint), email) };
}

/** For a valid signature. Who owns a key is said only where the commit is theirs. */
function byOwner(
  owner: Signer | undefined,
  email: string | undefined,
): Pick<CommitVerification, "verified" | "reason" | "signer"> {
  if (!owner) return { verified: false, reason: "unknown_key", signer: null };
  const address = email === undefined ? "foreign" : owner.addressIs(email);
  if (address === "foreign") return { verified: false, reason: "bad_email", signer: null };
  if (address === "unverified") return { verified: false, reason: "unverified_email", signer: null };
  return { verified: true, reason: "valid", signer: { id: owner.id, username: owner.username } };
}
