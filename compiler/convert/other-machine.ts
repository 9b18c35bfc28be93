/** Jobs of machines that are not Linux: which runner they ask for, and what they lose without containers. */
import type { System } from "./images.ts";
import type { Plain, PlainMap } from "./plain.ts";
import type { Section } from "./trace.ts";

const needContainers = ["image", "services", "privileged", "network"] as const;

/** To be called once the job has its steps. Labels are what runners say of themselves: the names that Node gives to systems. */
export function useOtherMachine(
  job: PlainMap,
  system: Exclude<System, "linux">,
  { section, key, machine }: { section: Section; key: string; machine: string },
): void {
  if (system === "windows") {
    job.runner = ["os=win32"];
    section.note(key, {
      message: `${machine} is Windows, for which there is no runner, so this job waits for one in vain`,
      suggestion: "let the job run on Linux, and remove runner",
    });
    return;
  }
  job.runner = ["executor=process", "os=darwin"];
  for (const name of needContainers) delete job[name];
  if (Array.isArray(job.steps)) job.steps = job.steps.map(withoutImage);
  section.note(key, {
    message: `${machine} is macOS, where jobs run without a container and find only the programs and services of the machine`,
    suggestion:
      "add a runner on macOS with FORGELINE_RUNNER_EXECUTOR=process and the label os=darwin (docs/operations/process-executor.md)",
  });
}

function withoutImage(step: Plain): Plain {
  if (typeof step !== "object" || step === null || Array.isArray(step)) return step;
  const { image: _, ...rest } = step;
  return rest;
}
