/** What expressions of a workflow may refer to, in the place where they stand. */
import type { Kind } from "../typed.ts";

export interface Known {
  /** Our name by theirs; null: the names come from an earlier job. */
  matrix: ReadonlyMap<string, string> | null;
  needs: ReadonlyMap<string, { id: string; outputs: ReadonlySet<string> | null; hasMatrix: boolean }>;
  /** Our id by theirs, of the steps before this one. */
  steps: ReadonlyMap<string, string>;
  inputs: ReadonlyMap<string, Kind>;
  /** Values as they are written. */
  env: ReadonlyMap<string, string>;
}
