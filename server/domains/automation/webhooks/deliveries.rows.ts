/** Made by `node scripts/generate-rows.ts` from the statements of deliveries.store.ts; do not edit. */

export interface DeliveriesRows {
  listDeliveries: {
    id: string;
    number: number;
    event: string;
    action: string;
    test: boolean;
    status: "delivered" | "failed" | "pending" | "retrying";
    attempts_count: number;
    next_attempt_at: Date | null;
    finished_at: Date | null;
    created_at: Date;
    last_attempt_at: Date | null;
    response_status: number | null;
    error: string | null;
  };
  findDelivery: {
    id: string;
    number: number;
    event: string;
    action: string;
    test: boolean;
    status: "delivered" | "failed" | "pending" | "retrying";
    attempts_count: number;
    next_attempt_at: Date | null;
    finished_at: Date | null;
    created_at: Date;
    last_attempt_at: Date | null;
    response_status: number | null;
    error: string | null;
    event_position: number;
    kind: string;
    repository: unknown;
    organization: unknown;
    sender: unknown;
    subject: unknown;
    occurred_at: Date;
  };
  listAttempts: {
    attempt: number;
    at: Date;
    duration_ms: number;
    response_status: number | null;
    error: string | null;
    request_headers: unknown;
    response_headers: unknown;
    response_body: string | null;
    truncated: boolean;
  };
  redeliverOne: {
    id: string;
  };
  redeliverMany: {
    id: string;
  };
  sendNow: {
    id: string;
  };
  findLastEvent: {
    position: number;
    kind: string;
    action: string;
  };
  countDeliveries: {
    pending: number;
    retrying: number;
  };
  deleteOrphans: {
    id: string;
  };
  deleteDeliveries: {
    id: string;
  };
}
