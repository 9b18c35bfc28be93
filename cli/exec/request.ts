/** What somebody asks of `forgeline exec`. */
import type { PipelineEventName } from "@forgeline/schemas/pipeline-file/event.ts";

export interface ExecRequest {
  /** Where the command was called. */
  directory: string;
  /** Path of a pipeline file, or its name in `.forgeline/`; undefined: the only one. */
  file: string | undefined;
  event: string | undefined;
  branch: string | undefined;
  tag: string | undefined;
  actor: string | undefined;
  /** A commit with which changed paths are compared. */
  since: string | undefined;
  inputs: Readonly<Record<string, string>>;
  variables: Readonly<Record<string, string>>;
  /** Values by name, for jobs that name them. */
  secrets: Readonly<Record<string, string>>;
  /** Jobs and stages that need approval run as well. */
  approved: boolean;
  debug: boolean;
  /** Jobs whose file closes their network run with an open one. */
  openNetwork: boolean;
  /** Jobs may have all rights on this machine. */
  privileged: boolean;
  /** Where artifacts stay when the run has ended; undefined: nowhere. */
  artifacts: string | undefined;
  /** The last commit instead of the working tree. */
  committed: boolean;
  /** Keys of jobs, or names of combinations; empty: all. */
  jobs: readonly string[];
  /** With what the chosen jobs depend on. */
  withNeeds: boolean;
}

/** The event that is meant, where none is named: whoever gives inputs asks for a run by hand. */
export function meantEvent({ tag, inputs }: Pick<ExecRequest, "tag" | "inputs">): PipelineEventName {
  if (Object.keys(inputs).length > 0) return "manual";
  return tag === undefined ? "push" : "tag";
}
