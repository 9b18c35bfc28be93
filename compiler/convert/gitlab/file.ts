/** A GitLab file while its jobs are made. */
import type { MapNode } from "../../tree.ts";
import type { Ids } from "../names.ts";
import type { Section, Trace } from "../trace.ts";
import type { Resolver } from "./resolve.ts";

export interface GitlabJob {
  name: string;
  /** With all that it takes from elsewhere. */
  node: MapNode;
  stage: string;
  section: Section;
}

export interface GitlabFile {
  trace: Trace;
  ids: Ids;
  resolver: Resolver;
  jobs: readonly GitlabJob[];
  stageIds: Ids;
  stageIndex(job: GitlabJob): number;
  /** Of the top level, as written. */
  variables: ReadonlyMap<string, string>;
  /** Collects what scripts read and nothing here sets. */
  unset: Set<string>;
}
