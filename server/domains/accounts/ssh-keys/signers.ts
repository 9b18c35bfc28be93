/** The people whose keys sign commits. Looked up each time: a key that was added counts for older commits, a removed one for none. */
import type { Database } from "../../../platform/db/database.ts";
import { noReply } from "../users/commit-identity.ts";
import { findSigners } from "./signers.store.ts";

export interface Signer {
  id: string;
  username: string;
  /** What the address in a commit is to them. */
  addressIs(email: string): "verified" | "unverified" | "foreign";
}

export interface SshSigners {
  /** By the fingerprint of the SSH key; keys of repositories and of suspended people are nobody's. */
  bySshKey(fingerprints: readonly string[], emails: readonly string[]): Promise<Map<string, Signer>>;
}

export function createSshSigners({ db }: { db: Database }): SshSigners {
  return {
    async bySshKey(fingerprints, emails) {
      if (fingerprints.length === 0) return new Map();
      const rows = await findSigners(db, distinct(fingerprints), storable(emails));
      return new Map(rows.map((row) => [row.fingerprint, signerOf(row)]));
    },
  };
}

interface Found {
  id: string;
  username: string;
  verified: readonly string[];
  unverified: readonly string[];
}

export function signerOf({ id, username, verified, unverified }: Found): Signer {
  const own = `${username}${noReply}`.toLowerCase();
  return {
    id,
    username,
    addressIs(given) {
      const email = given.toLowerCase();
      if (email === own || verified.includes(email)) return "verified";
      return unverified.includes(email) ? "unverified" : "foreign";
    },
  };
}

function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}

/** PostgreSQL has no text with a zero character. */
/** In lower case; without those that PostgreSQL cannot store. */
export function storable(emails: readonly string[]): string[] {
  return distinct(emails.map((email) => email.toLowerCase())).filter((email) => !email.includes("\0"));
}
