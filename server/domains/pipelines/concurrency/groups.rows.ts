/** Made by `node scripts/generate-rows.ts` from the statements of groups.store.ts; do not edit. */

export interface GroupsRows {
  listOfRepository: {
    scope: "org" | "repo";
    group: string;
    limit: number | null;
    queue_length: number;
    holders: {
      id: string;
      place: number;
      state: "expected" | "held" | "superseded" | "waiting";
      since: string;
      repository_id: string;
      is_owners: boolean;
      node: "job" | "pipeline" | "stage";
      superseded_reason: string | null;
      full_name: string;
      pipeline_id: string;
      number: number;
      stage: string | null;
      job_id: string | null;
      key: string | null;
      job_name: string | null;
    }[];
    queue: {
      id: string;
      place: number;
      state: "expected" | "held" | "superseded" | "waiting";
      since: string;
      repository_id: string;
      is_owners: boolean;
      node: "job" | "pipeline" | "stage";
      superseded_reason: string | null;
      full_name: string;
      pipeline_id: string;
      number: number;
      stage: string | null;
      job_id: string | null;
      key: string | null;
      job_name: string | null;
    }[];
  };
  listOfOrganization: {
    scope: "org" | "repo";
    group: string;
    limit: number | null;
    queue_length: number;
    holders: {
      id: string;
      place: number;
      state: "expected" | "held" | "superseded" | "waiting";
      since: string;
      repository_id: string;
      is_owners: boolean;
      node: "job" | "pipeline" | "stage";
      superseded_reason: string | null;
      full_name: string;
      pipeline_id: string;
      number: number;
      stage: string | null;
      job_id: string | null;
      key: string | null;
      job_name: string | null;
    }[];
    queue: {
      id: string;
      place: number;
      state: "expected" | "held" | "superseded" | "waiting";
      since: string;
      repository_id: string;
      is_owners: boolean;
      node: "job" | "pipeline" | "stage";
      superseded_reason: string | null;
      full_name: string;
      pipeline_id: string;
      number: number;
      stage: string | null;
      job_id: string | null;
      key: string | null;
      job_name: string | null;
    }[];
  };
  readWaits: {
    nodeId: string;
    scope: "org" | "repo";
    group: string;
    since: Date | null;
    ahead: number;
    holders: {
      id: string;
      place: number;
      state: "expected" | "held" | "superseded" | "waiting";
      since: string;
      repository_id: string;
      is_owners: boolean;
      node: "job" | "pipeline" | "stage";
      superseded_reason: string | null;
      full_name: string;
      pipeline_id: string;
      number: number;
      stage: string | null;
      job_id: string | null;
      key: string | null;
      job_name: string | null;
    }[];
  };
}
