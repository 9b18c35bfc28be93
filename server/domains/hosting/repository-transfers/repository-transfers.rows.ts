/** Made by `node scripts/generate-rows.ts` from the statements of repository-transfers.store.ts; do not edit. */

export interface RepositoryTransfersRows {
  findReceiver: {
    id: string;
    name: string;
    kind: "org" | "user";
  };
  actsFor: {
    user_id: string;
  };
  findTransfer: {
    receiver_id: string;
    receiver: string;
    receiver_kind: "org" | "user";
    requested_by: string | null;
    created_at: Date;
    expires_at: Date;
    is_receiver: boolean;
  };
  putTransfer: never;
  deleteTransfer: never;
}
