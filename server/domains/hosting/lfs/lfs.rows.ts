/** Made by `node scripts/generate-rows.ts` from the statements of lfs.store.ts; do not edit. */
import type { OwnUser } from "@forgeline/schemas/users/resource.ts";

export interface LfsRows {
  findObjects: {
    oid: string;
    size_bytes: number;
    stored: boolean;
  };
  hasStored: {
    oid: string;
  };
  lockOwner: {
    owner_id: string;
  };
  lockUse: {
    pg_advisory_xact_lock: string | null;
  };
  readOwner: {
    id: string;
    name: string;
    kind: "org" | "user";
    plan: "enterprise" | "free" | "organization" | "pro" | OwnUser["plan"] | null;
    custom_bytes: number | null;
  };
  findOwner: {
    id: string;
    name: string;
    kind: "org" | "user";
    plan: "enterprise" | "free" | "organization" | "pro" | OwnUser["plan"] | null;
    custom_bytes: number | null;
  };
  deleteCustom: never;
  putCustom: never;
  sumUse: {
    bytes: number;
  };
  findCounted: {
    oid: string;
    size_bytes: number;
  };
  countOpen: {
    open: number;
  };
  sumNew: {
    bytes: number;
  };
  putReserved: never;
  findStored: {
    oid: string;
    sizeBytes: number;
  };
  putStored: never;
  markStored: never;
  deleteObject: never;
  deleteObjects: never;
  findNamed: {
    id: string;
    fullName: string;
  };
  findAll: {
    oid: string;
    size_bytes: number;
    stored: boolean;
  };
  lockAbandoned: {
    repository_id: string;
    oid: string;
  };
  deleteAbandoned: never;
}
