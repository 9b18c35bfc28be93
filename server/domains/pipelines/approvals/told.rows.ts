/** Made by `node scripts/generate-rows.ts` from the statements of told.store.ts; do not edit. */

export interface ToldRows {
  findApprovers: {
    email: string;
  };
  findGoingBack: {
    rollback: {
      environment: string;
      pipeline_id: string;
      number: number;
      sha: string;
      asked_by: string | null;
    } | null;
    sha: string;
  };
  countApprovers: {
    id: string;
    able: number;
  };
  findStarter: {
    id: string;
    email: string;
    ref: string;
    sha: string;
    title: string | null;
    expires_at: Date;
  };
}
