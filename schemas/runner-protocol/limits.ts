/** What one job of a runner may take, as the runner tells it in `hello`. */
import { z } from "zod";

const bytes = z.number().int().min(1);

/** What the file may ask for at most, and what a job gets that does not ask. */
const asked = (value: z.ZodNumber) => z.object({ max: value, default: value });

export const RunnerLimits = z.object({
  /** Of all containers of the job together; memory and swap. */
  memoryBytes: asked(bytes),
  /** Cores: of the steps' containers, and again of all services together. */
  cpu: asked(z.number().gt(0)),
  /** Workspace, what containers wrote, and logs. */
  diskBytes: bytes,
  /** Processes and threads of each container. */
  processes: z.number().int().min(1),
  /** Open files of each process; null: as the Docker daemon says. */
  openFiles: z.number().int().min(1).nullable(),
  /** Files and directories; null: as many as there is room for. */
  files: z.number().int().min(1).nullable(),
  /** Log of a step; null: as the server says. */
  stepLogBytes: bytes.nullable(),
  /** null: as the file says. */
  jobMs: z.number().int().min(1).nullable(),
});
export type RunnerLimits = z.infer<typeof RunnerLimits>;
