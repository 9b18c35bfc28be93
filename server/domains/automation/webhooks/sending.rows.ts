/** Made by `node scripts/generate-rows.ts` from the statements of sending.store.ts; do not edit. */

export interface SendingRows {
  findEndpoint: {
    id: string;
    sealed_url: Buffer;
    sealed_secret: Buffer;
    sealed_previous_secret: Buffer | null;
    ordered: boolean;
    active: boolean;
    ca_certificate: string | null;
    version: string;
    gated_ms: number | null;
    room: number;
    window_ms: number;
  };
  takePending: {
    id: string;
    webhook_id: string;
    number: number;
    event_position: number;
    test: boolean;
    tries: number;
    kind: string;
    action: string;
    repository: unknown;
    organization: unknown;
    sender: unknown;
    subject: unknown;
    occurred_at: Date;
  };
  takeDue: {
    id: string;
    webhook_id: string;
    number: number;
    event_position: number;
    test: boolean;
    tries: number;
    kind: string;
    action: string;
    repository: unknown;
    organization: unknown;
    sender: unknown;
    subject: unknown;
    occurred_at: Date;
  };
  takeOldest: {
    id: string;
    webhook_id: string;
    number: number;
    event_position: number;
    test: boolean;
    tries: number;
    kind: string;
    action: string;
    repository: unknown;
    organization: unknown;
    sender: unknown;
    subject: unknown;
    occurred_at: Date;
  };
  nextDue: {
    due_ms: number | null;
  };
  moveDeliveries: {
    delivery_id: string;
  };
  moveEndpoints: {
    id: string;
    ordered: boolean;
    active: boolean;
    consecutive_failures: number;
    failing_since: Date | null;
    gated: boolean;
    outdated: boolean | null;
  };
  setGate: never;
  openGate: {
    id: string;
  };
  expire: {
    id: string;
  };
  giveUp: {
    id: string;
  };
  switchOff: {
    id: string;
    shown_url: string;
    repository_id: string | null;
    organization_id: string | null;
  };
  listUnsent: {
    id: string;
  };
  listOverdue: {
    id: string;
  };
}
