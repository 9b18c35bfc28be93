/** Where tests keep the bundled workflow code between files and runs. */
import { tmpdir } from "node:os";
import { join } from "node:path";

export const bundleCache = join(tmpdir(), "forgeline-workflow-bundles");
