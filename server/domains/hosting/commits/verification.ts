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
import type { CommitSigners, Signer } from "../../accounts/domain.ts";
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
        const verdict = judgeCommit(commit.bytes);
        judged.push({ verdict, email: emailOf(commit) });
        // Checking a signature takes the time of some requests.
        if (verdict.state !== "unsigned") await nextTurn();
      }
      const bySsh = await sshOwners(deps, judged);
      return judged.map((each) => conclude(each, bySsh));
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

const nothing = { signer: null, key_fingerprint: null, made_here: false } as const;

function conclude({ verdict, email }: Judged, { people, ours }: SshOwners): CommitVerification {
  if (verdict.state === "openpgp") return { ...nothing, verified: false, reason: "unsupported" };
  if (verdict.state !== "ssh") return { ...nothing, verified: false, reason: verdict.state };
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
