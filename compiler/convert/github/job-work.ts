/** A job while it is being made: what its steps add to it. */
import type { PlainMap, Plain } from "../plain.ts";
import type { Section, Trace } from "../trace.ts";
import type { Ids } from "../names.ts";
import type { Kind } from "../typed.ts";
import type { Known } from "./known.ts";

/** What all jobs of a workflow share. */
export interface FileWork {
  trace: Trace;
  ids: Ids;
  inputs: ReadonlyMap<string, Kind>;
  env: ReadonlyMap<string, string>;
  defaults: { shell: string | null; workdir: string | null };
  /** Names of outputs by job, of those that are carried over. */
  outputs: Map<string, Set<string>>;
  /** Jobs with a matrix: their outputs are lists. */
  withMatrix: ReadonlySet<string>;
  /** Jobs that upload each artifact, by its name in the source. */
  uploads: ReadonlyMap<string, readonly string[]>;
  /** Programs in scripts that were told of. */
  toolsSeen: Set<string>;
}

export interface JobWork {
  file: FileWork;
  name: string;
  section: Section;
  job: PlainMap;
  steps: Plain[];
  known: Known & { steps: Map<string, string>; matrix: Map<string, string> | null };
  /** Chosen by an action that installs a tool. */
  image: string | null;
  /** Set where the machine is not Linux; `machine` is its name. */
  system: "macos" | "windows" | null;
  machine: string;
  hasContainer: boolean;
  clone: PlainMap | null;
  artifacts: PlainMap[];
  /** Values of the matrix that are versions of an image: `22.x` must become `22`. */
  versions: Set<string>;
  defaults: FileWork["defaults"];
  stepIds: Ids;
}

export interface Action {
  /** `owner/name`. */
  name: string;
  ref: string;
  /** Its `with`. */
  given: Section;
  /** The `when` of its step. */
  when: Plain;
  step: Section;
  work: JobWork;
}
