/** How many shells may be open in jobs, and for how long. */
import { z } from "zod";

export interface ShellSettings {
  /** Most open shells in one job, of one user, and of the instance. */
  most: { job: number; user: number; instance: number };
  idleMs: number;
  maxMs: number;
  /** For how long the containers of a failed job are kept. */
  keepOpenMs: number;
}

const hour = 3_600;
const max = (fallback: number, where: string) =>
  z.coerce
    .number()
    .int()
    .min(0)
    .max(10_000)
    .default(fallback)
    .describe(`Maximum number of shells that can be open ${where}; 0: none can be opened.`);
const seconds = (fallback: number, what: string) =>
  z.coerce.number().int().min(1).max(hour).default(fallback).describe(what);

export const shellSettings = {
  FORGELINE_SHELLS: max(50, "on the whole instance"),
  FORGELINE_SHELLS_USER: max(5, "of one user"),
  FORGELINE_SHELLS_JOB: max(3, "in one job"),
  FORGELINE_SHELL_IDLE_SECONDS: seconds(900, "A shell in which nothing was typed for this long is closed."),
  FORGELINE_SHELL_MAX_SECONDS: seconds(hour, "A shell is closed after this long."),
  FORGELINE_KEEP_OPEN_SECONDS: seconds(
    hour,
    "For how long the container of a failed job is kept for a shell where that was asked for.",
  ),
};

export function toShellSettings(env: z.infer<z.ZodObject<typeof shellSettings>>): ShellSettings {
  return {
    most: {
      job: env.FORGELINE_SHELLS_JOB,
      user: env.FORGELINE_SHELLS_USER,
      instance: env.FORGELINE_SHELLS,
    },
    idleMs: env.FORGELINE_SHELL_IDLE_SECONDS * 1_000,
    maxMs: env.FORGELINE_SHELL_MAX_SECONDS * 1_000,
    keepOpenMs: env.FORGELINE_KEEP_OPEN_SECONDS * 1_000,
  };
}
