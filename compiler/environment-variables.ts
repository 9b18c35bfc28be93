/** Variables of environments in the event of a run: which of them a job has. Pure. */
import type { PipelineEvent } from "@forgeline/schemas/pipeline-file/event.ts";

/**
 * The event as a job of this environment sees it: variables of the environment win over those of the repository and above, but not over
 * what the run was given. Of other environments nothing is left. null: the job deploys nowhere.
 */
export function eventAt(event: PipelineEvent, environment: string | null): PipelineEvent {
  const { environmentVariables, ...shared } = event;
  const own = environment === null ? undefined : environmentVariables?.[environment.toLowerCase()];
  if (!own) return shared;
  const { variables, variableLevels = {} } = shared;
  const isGiven = (name: string) => Object.hasOwn(variables, name) && !Object.hasOwn(variableLevels, name);
  const winning = Object.entries(own).filter(([name]) => !isGiven(name));
  return {
    ...shared,
    variables: { ...variables, ...Object.fromEntries(winning) },
    variableLevels: {
      ...variableLevels,
      ...Object.fromEntries(winning.map(([name]) => [name, "environment" as const])),
    },
  };
}
