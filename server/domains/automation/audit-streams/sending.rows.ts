/** Made by `node scripts/generate-rows.ts` from the statements of sending.store.ts; do not edit. */

export interface SendingRows {
  beginSending: {
    id: string;
    organization_id: string | null;
    organization: string | null;
    target: unknown;
    sealed_secrets: Buffer;
    ca_certificate: string | null;
    sent_number: number;
    revision: number;
    failures: number;
    uses_previous: boolean | null;
    wait_ms: number;
  };
  notePosition: {
    id: string;
  };
  noteFailure: {
    id: string;
  };
  release: never;
  claimDue: {
    id: string;
  };
  stop: never;
  resume: never;
  countStreams: {
    working: number;
    failing: number;
    paused: number;
  };
  measureLag: {
    entries: number;
    seconds: number;
  };
}
