/** Made by `node scripts/generate-rows.ts` from the statements of key-rotations.store.ts; do not edit. */

export interface KeyRotationsRows {
  insertRotation: {
    id: string;
  };
  findRotation: {
    id: string;
    key_id: string | null;
    encrypted: unknown;
    unreadable: number;
    created_at: Date;
    finished_at: Date | null;
    cancelled: boolean;
    requested_by: string | null;
  };
  listRotations: {
    id: string;
    key_id: string | null;
    encrypted: unknown;
    unreadable: number;
    created_at: Date;
    finished_at: Date | null;
    cancelled: boolean;
    requested_by: string | null;
  };
  countRotations: {
    total: number;
  };
  noteKey: never;
  noteEncrypted: {
    "?column?": number;
  };
  finish: {
    "?column?": number;
  };
}
