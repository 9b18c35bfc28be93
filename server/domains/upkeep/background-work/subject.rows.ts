/** Made by `node scripts/generate-rows.ts` from the statements of subject.store.ts; do not edit. */
import type { Status } from "@forgeline/schemas/pipelines/status.ts";

export interface SubjectRows {
  findSubjects: {
    id: string;
    place: "organization" | "repository";
    place_id: string;
    name: string;
    number: number | null;
    status: Status | null;
    sequence: number | null;
  };
  countHandover: {
    waiting: number;
    refused: number;
  };
}
