/** Made by `node scripts/generate-rows.ts` from the statements of upload.store.ts; do not edit. */

export interface UploadRows {
  countUploads: {
    ofOwner: number;
    sameForSeconds: number | null;
  };
  putUpload: never;
  keepUpload: never;
  deleteUpload: never;
  deleteDeadUploads: never;
}
