/** `permissions` of a workflow or job: what its token may. Ours reads the repository, and nothing else. */
import { entries, textOfNode } from "../nodes.ts";
import type { Section } from "../trace.ts";

/** Nothing is lost where only reading is asked for. */
export function notePermissions(section: Section): void {
  const node = section.take("permissions");
  const writes = entries(node)
    .filter(({ value }) => textOfNode(value) === "write")
    .map(({ key }) => key);
  if (textOfNode(node) === "write-all") writes.push("everything");
  if (writes.length === 0) return;
  section.note("permissions", {
    message: `the token of a job (CI_JOB_TOKEN) only reads this repository, and this one writes ${writes.join(", ")}`,
    suggestion: "pass a token of your own to the steps that write, with secrets",
  });
}
