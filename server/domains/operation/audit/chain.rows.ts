/** Made by `node scripts/generate-rows.ts` from the statements of chain.store.ts; do not edit. */

export interface ChainRows {
  checkLinks: {
    rows: number;
    start_hash: string | null;
    start_expired: boolean;
    head: {
      number: number;
      hash: string;
      at: string;
    } | null;
    broken: {
      number: number;
      id: unknown;
      present: boolean;
      follows: boolean | null;
    } | null;
    last: {
      number: number;
      hash: string;
    } | null;
    anchors: {
      first: number;
      last: number;
      before: string;
      hash: string;
      signature: string;
    }[] | null;
    tail: {
      first: number;
      last: number;
      before: string;
      hash: string;
      signature: string;
    } | null;
  };
  checkEntriesOfInstance: {
    rows: number;
    last_seq: number | null;
    stray: string | null;
    lost: string | null;
  };
  checkEntriesOfOrganization: {
    rows: number;
    last_seq: number | null;
    stray: string | null;
    lost: string | null;
  };
  readHead: {
    number: number;
    hash: string;
    at: Date;
  };
  hashAt: {
    hash: string;
  };
  lastNumber: {
    number: number;
  };
  changedHeads: {
    chain: string;
    number: number;
    hash: string;
    at: Date;
  };
  findPending: {
    "?column?": number;
  };
  linkPending: {
    linked: number | null;
  };
  makePartitions: {
    make_audit_partitions: number | null;
  };
  limitTime: {
    set_config: string | null;
  };
}
