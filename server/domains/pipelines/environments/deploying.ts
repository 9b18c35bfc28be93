/** Jobs that are queued to deploy: an environment that does not exist is created, and each attempt is written down as a deployment. */
import { maxEnvironments } from "@forgeline/schemas/environments/names.ts";
import type { PlanJob } from "@forgeline/schemas/pipeline-file/plan.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import { newId } from "../../../platform/ids.ts";
import { recordDeploymentEvents } from "./deployment-events.ts";
import { insertDeployments, type NewDeployment } from "./deployments.store.ts";
import * as store from "./environments.store.ts";

export interface Deploying {
  /** Why the job cannot deploy, as a sentence; null: it may be queued. */
  enter(job: PlanJob): Promise<string | null>;
  /** An attempt of a job that was entered. */
  add(job: PlanJob, attempt: { id: string; jobId: string }): void;
  /** Once the attempts are stored. */
  save(): Promise<void>;
}

/** For one transaction, under the lock of the run. */
export function createDeploying(
  tx: Transaction,
  { pipelineId, repositoryId }: { pipelineId: string; repositoryId: string },
): Deploying {
  /** By name in lower case. */
  const known = new Map<string, string>();
  const added: NewDeployment[] = [];

  async function idOf(name: string): Promise<string | null> {
    const there = await store.findId(tx, repositoryId, name);
    if (there !== null) return there;
    await store.holdEnvironments(tx, repositoryId);
    if ((await store.countEnvironments(tx, repositoryId)) >= maxEnvironments) return null;
    await store.insertEnvironment(tx, { id: newId("env"), repositoryId, name });
    return store.findId(tx, repositoryId, name);
  }

  return {
    async enter({ environment }) {
      const name = environment?.name.toLowerCase();
      if (!environment || name === undefined || known.has(name)) return null;
      const id = await idOf(environment.name);
      if (id !== null) {
        known.set(name, id);
        return null;
      }
      return `The environment ${environment.name} would be one too many: a repository can have ${maxEnvironments}. Delete one that is not used any more.`;
    },
    add({ environment }, { id: attemptId, jobId }) {
      const environmentId = environment && known.get(environment.name.toLowerCase());
      if (environmentId === undefined) return;
      added.push({ id: newId("depl"), environmentId, attemptId, jobId, url: environment?.url ?? null });
    },
    async save() {
      if (added.length === 0) return;
      await insertDeployments(tx, pipelineId, added);
      const attemptIds = added.map(({ attemptId }) => attemptId);
      await recordDeploymentEvents(tx, pipelineId, { attemptIds, action: "created" });
    },
  };
}
