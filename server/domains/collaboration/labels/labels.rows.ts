/** Made by `node scripts/generate-rows.ts` from the statements of labels.store.ts; do not edit. */

export interface LabelsRows {
  listLabels: {
    id: string;
    name: string;
    color: string;
    description: string;
    created_at: Date;
    updated_at: Date;
  };
  findLabel: {
    id: string;
    name: string;
    color: string;
    description: string;
    created_at: Date;
    updated_at: Date;
  };
  findByNames: {
    wanted: string;
    id: string;
    name: string;
    color: string;
    description: string;
    created_at: Date;
    updated_at: Date;
  };
  holdRepository: {
    id: string;
  };
  countLabels: {
    count: number;
  };
  findRival: {
    id: string;
  };
  insertLabel: {
    id: string;
    name: string;
    color: string;
    description: string;
    created_at: Date;
    updated_at: Date;
  };
  updateLabel: {
    id: string;
    name: string;
    color: string;
    description: string;
    created_at: Date;
    updated_at: Date;
  };
  deleteLabel: {
    name: string;
  };
}
