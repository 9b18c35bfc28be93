/** What a job asks of its runner that not every one has, beside the labels in its file. Pure. */
import type { PlanJob } from "@forgeline/schemas/pipeline-file/plan.ts";
import type { RunnerFeature } from "@forgeline/schemas/runners/feature.ts";

/** A planned job, or as much of one as matters. */
export type AskingJob = Pick<PlanJob, "runnerLabels"> & Partial<PlanJob>;

export function featuresOf(job: AskingJob): RunnerFeature[] {
  const { network, privileged } = job;
  const features: RunnerFeature[] = privileged ? ["privileged"] : [];
  if (network) features.push(network.allow.length === 0 ? "network_none" : "network_allow");
  if (isHandedThings(job)) features.push("lease_v2");
  return features;
}

/** Runners before `lease_v2` ignore all of this: the job would run without it, as if nothing were missing. */
function isHandedThings(job: AskingJob): boolean {
  const { idTokens, cache, artifacts, needs, reports } = job;
  const isBrought = needs?.some((need) => need.artifacts !== undefined) ?? false;
  const lists = [idTokens, cache, artifacts, ...secretsOf(job)];
  return isBrought || reports !== undefined || lists.some((list) => list !== undefined && list.length > 0);
}

function secretsOf({ image, secrets, steps = [], services = [] }: AskingJob) {
  const images = [image, ...steps.map((step) => step.image), ...services.map((service) => service.image)];
  const auths = images.flatMap((one) => one?.auth ?? []);
  return [
    secrets,
    auths,
    ...steps.map((step) => step.secrets),
    ...services.map((service) => service.secrets),
  ];
}
