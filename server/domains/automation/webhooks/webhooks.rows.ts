/** Made by `node scripts/generate-rows.ts` from the statements of webhooks.store.ts; do not edit. */

export interface WebhooksRows {
  listWebhooks: {
    id: string;
    shown_url: string;
    event_kinds: string[];
    active: boolean;
    ordered: boolean;
    ca_certificate: string | null;
    previous_until: Date | null;
    disabled_reason: "failing" | "transferred" | null;
    failing_since: Date | null;
    retry_at: Date | null;
    created_at: Date;
    updated_at: Date;
    sealed_url: Buffer;
    sealed_secret: Buffer;
    waiting: number;
    last_delivery: {
      id: string;
      status: "delivered" | "failed" | "pending" | "retrying";
      created_at: string;
    } | null;
  };
  findWebhook: {
    id: string;
    shown_url: string;
    event_kinds: string[];
    active: boolean;
    ordered: boolean;
    ca_certificate: string | null;
    previous_until: Date | null;
    disabled_reason: "failing" | "transferred" | null;
    failing_since: Date | null;
    retry_at: Date | null;
    created_at: Date;
    updated_at: Date;
    sealed_url: Buffer;
    sealed_secret: Buffer;
    waiting: number;
    last_delivery: {
      id: string;
      status: "delivered" | "failed" | "pending" | "retrying";
      created_at: string;
    } | null;
  };
  lockWebhook: {
    id: string;
  };
  holdRepository: {
    id: string;
  };
  countWebhooks: {
    count: number;
  };
  insertWebhook: never;
  updateWebhook: never;
  keepSecret: never;
  dropPreviousSecret: never;
  resetHealth: never;
  markDeleted: {
    id: string;
    shown_url: string;
  };
  deleteEmptied: {
    id: string;
  };
  switchOffTransferred: {
    id: string;
  };
}
