/** Made by `node scripts/generate-rows.ts` from the statements of audit-streams.store.ts; do not edit. */

export interface AuditStreamsRows {
  findStream: {
    id: string;
    organization_id: string | null;
    chain: string;
    kind: "bucket" | "https" | "syslog";
    target: unknown;
    sealed_secrets: Buffer;
    previous_until: Date | null;
    ca_certificate: string | null;
    enabled: boolean;
    disabled_reason: string | null;
    sent_number: number;
    sent_at: Date | null;
    revision: number;
    failures: number;
    failing_since: Date | null;
    last_error: string | null;
    next_attempt_at: Date | null;
    busy_until: Date | null;
    created_by: string | null;
    created_at: Date;
    updated_at: Date;
    organization: string | null;
    head_number: number;
    oldest_at: Date | null;
    expired: number;
  };
  lockStream: {
    id: string;
    revision: number;
  };
  insertStream: {
    id: string;
  };
  updateStream: never;
  deleteStream: {
    id: string;
  };
}
