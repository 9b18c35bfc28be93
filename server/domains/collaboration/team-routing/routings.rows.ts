/** Made by `node scripts/generate-rows.ts` from the statements of routings.store.ts; do not edit. */
import type { StoredRule } from "./decide-target.ts";

export interface RoutingsRows {
  find: {
    rules: StoredRule[];
    address: string | null;
    address_state: "confirmed" | "unconfirmed" | "unsubscribed";
    set_by: string | null;
    asked_since: Date;
    asked_count: number;
    digest: "daily" | "hourly" | "immediately";
    digest_at: string;
    time_zone: string;
    quiet_from: string | null;
    quiet_to: string | null;
    quiet_days: string[];
    updated_at: Date;
  };
  findToChange: {
    rules: StoredRule[];
    address: string | null;
    address_state: "confirmed" | "unconfirmed" | "unsubscribed";
    set_by: string | null;
    asked_since: Date;
    asked_count: number;
    digest: "daily" | "hourly" | "immediately";
    digest_at: string;
    time_zone: string;
    quiet_from: string | null;
    quiet_to: string | null;
    quiet_days: string[];
    updated_at: Date;
  };
  lock: {
    id: string;
  };
  put: never;
  findRepositories: {
    id: string;
    name: string;
  };
  namesOf: {
    id: string;
    name: string;
  };
  listHidden: {
    id: string;
  };
  belongs: {
    found: number;
  };
  findAddress: {
    organization_id: string;
    team: string;
    address: string | null;
    address_state: "confirmed" | "unconfirmed" | "unsubscribed";
    asked_since: Date;
    asked_count: number;
  };
  setAddressState: never;
}
