/** Which secrets a job needs, and in which images their values would come to be. Pure. */
import type { z } from "zod";
import type { PlanImage, PlanJob, PlanSecret } from "@forgeline/schemas/pipeline-file/plan.ts";

type Image = z.infer<typeof PlanImage>;

export interface NeededSecret {
  name: string;
  /** The job can do without it, wherever it is named. */
  optional: boolean;
  /** Names of images; some may be templates, which only the runner can fill in. */
  images: string[];
}

/** Each name once, in the order of the job. */
export function neededSecrets(job: PlanJob): NeededSecret[] {
  const needed = new Map<string, NeededSecret>();
  const need = ({ name, optional }: Pick<PlanSecret, "name" | "optional">, images: readonly Image[]) => {
    const known = needed.get(name) ?? { name, optional: true, images: [] };
    const all = new Set([...known.images, ...images.map((image) => image.name)]);
    needed.set(name, { name, optional: known.optional && optional, images: [...all] });
  };
  const stepImages = job.steps.map((step) => step.image ?? job.image);
  for (const image of [job.image, ...stepImages, ...job.services.map((service) => service.image)])
    if (image.auth) need({ name: authSecret(image.auth), optional: false }, [image]);
  for (const secret of job.secrets ?? []) need(secret, [job.image, ...stepImages]);
  for (const step of job.steps)
    for (const secret of step.secrets ?? []) need(secret, [step.image ?? job.image]);
  for (const service of job.services)
    for (const secret of service.secrets ?? []) need(secret, [service.image]);
  return [...needed.values()];
}

function authSecret(auth: NonNullable<Image["auth"]>): string {
  return "secret" in auth ? auth.secret : auth.password;
}
