/** The people whose OpenPGP keys sign commits, as `ssh-keys/signers.ts` finds those of SSH keys. */
import type { Database } from "../../../platform/db/database.ts";
import {
  createOpenPgpJudge,
  type OpenPgpSignature,
  type OpenPgpVerdict,
} from "../../../platform/git/signatures/openpgp.ts";
import { signerOf, type Signer, type SshSigners } from "../ssh-keys/signers.ts";
import { noReply } from "../users/commit-identity.ts";
import { findSigners, type GpgSignerRow } from "./gpg-keys.store.ts";

export interface OpenPgpSigner extends Signer {
  fingerprint: string;
  judge(signature: OpenPgpSignature): Promise<OpenPgpVerdict>;
}

export interface OpenPgpSigners {
  /**
   * By the id of a key and the address in a commit. Several people may have registered one key: the one whose address it is counts.
   * Keys of suspended people are nobody's.
   */
  byOpenPgpKey(
    wanted: readonly { keyId: string; email: string }[],
  ): Promise<(keyId: string, email: string) => OpenPgpSigner | undefined>;
}

export type CommitSigners = SshSigners & OpenPgpSigners;

export function createOpenPgpSigners({ db }: { db: Database }): OpenPgpSigners {
  return {
    async byOpenPgpKey(wanted) {
      const pairs = new Map(
        wanted
          .filter(({ email }) => !email.includes("\0"))
          .map(({ keyId, email }) => [pairOf(keyId, email), { keyId, email: email.toLowerCase() }]),
      );
      const rows = pairs.size === 0 ? [] : await findSigners(db, [...pairs.values()], noReply);
      const found = withJudges(rows);
      return (keyId, email) => found.get(pairOf(keyId, email));
    },
  };
}

function pairOf(keyId: string, email: string): string {
  return `${keyId} ${email.toLowerCase()}`;
}

/** One judge for each key, which reads it once. */
function withJudges(rows: readonly GpgSignerRow[]): Map<string, OpenPgpSigner> {
  const judges = new Map<string, OpenPgpSigner["judge"]>();
  return new Map(
    rows.map((row) => {
      const judge = judges.get(row.public_key) ?? createOpenPgpJudge(row.public_key);
      judges.set(row.public_key, judge);
      const signer = { ...signerOf(row), fingerprint: row.fingerprint, judge };
      return [pairOf(row.wanted_key_id, row.wanted_email), signer];
    }),
  );
}
