/**
 * Part of `npm run check`: bundles the workflow code. Temporal's bundler refuses Node's own modules by itself; anything
 * else but the definitions and Temporal's libraries (zod would add a megabyte) is refused here.
 */
import { tmpdir } from "node:os";
import { join } from "node:path";
import { workflowBundle } from "@forgeline/workflows/worker/bundle.ts";

const ours = /^(\.\/)?workflows\/definitions\//;
const theirs = /node_modules\/(@temporalio|long|ms|nexus-rpc)\//;

const { code } = await workflowBundle(join(tmpdir(), "forgeline-workflow-check"));
const modules = [...code.matchAll(/!\*\*\* (\S+\.[jt]s) /g)].map(([, path]) => path ?? "");
const foreign = modules.filter((path) => !ours.test(path) && !theirs.test(path));
if (foreign.length > 0 || !modules.some((path) => ours.test(path))) {
  console.error(`not for the workflow bundle: ${foreign.join(", ") || "nothing of ours in it"}`);
  process.exitCode = 1;
}
