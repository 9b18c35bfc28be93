/** Made by `node scripts/generate-rows.ts` from the statements of variables.store.ts; do not edit. */

export interface VariablesRows {
  listVariables: {
    name: string;
    value: string;
    level: "environment" | "instance" | "organization" | "repository";
    changed_by: string | null;
    created_at: Date;
    updated_at: Date;
  };
  findVariable: {
    name: string;
    value: string;
    level: "environment" | "instance" | "organization" | "repository";
    changed_by: string | null;
    created_at: Date;
    updated_at: Date;
  };
  holdRepository: {
    id: string;
  };
  holdOrganization: {
    id: string;
  };
  holdEnvironment: {
    id: string;
  };
  lockInstance: {
    pg_advisory_xact_lock: string | null;
  };
  sumOthers: {
    count: number;
    bytes: number;
  };
  sumOfEnvironments: {
    bytes: number;
  };
  updateVariable: {
    id: number;
  };
  insertVariable: never;
  deleteVariable: {
    id: number;
  };
  variablesOfRuns: {
    level: "environment" | "instance" | "organization" | "repository";
    name: string;
    value: string;
    environment: string | null;
  };
}
