/** `permissions` of a workflow or job: what its token may. Contents are our `repo`, actions our `pipeline`; the rest is said. */
import type { JobPermission } from "@forgeline/schemas/pipeline-file/file-permissions.ts";
import { child, entries, textOfNode } from "../nodes.ts";
import type { Section } from "../trace.ts";

const ours: Readonly<Record<string, "repo" | "pipeline">> = { contents: "repo", actions: "pipeline" };
const whole: Readonly<Record<string, JobPermission[]>> = {
  "read-all": ["repo:read", "pipeline:read"],
  "write-all": ["repo:write", "pipeline:write"],
};

/** undefined where the source says nothing. Nothing is lost where only reading is asked for. */
export function convertPermissions(section: Section): JobPermission[] | undefined {
  const node = section.take("permissions");
  if (node === undefined) return undefined;
  const word = textOfNode(node) ?? "";
  if (Object.hasOwn(whole, word)) return whole[word];
  const permissions: JobPermission[] = [];
  const lost: string[] = [];
  for (const { key, value } of entries(node)) {
    const access = textOfNode(value);
    const part = Object.hasOwn(ours, key) ? ours[key] : undefined;
    if (part !== undefined && (access === "read" || access === "write"))
      permissions.push(`${part}:${access}`);
    else if (part === undefined && access === "write" && key !== "id-token") lost.push(key);
  }
  if (textOfNode(child(node, "id-token")) === "write")
    section.note("permissions", {
      message: "a job names the services that its identity tokens are for",
      suggestion: "write id_token: { TOKEN: AUDIENCE } into the jobs that need one, and use $TOKEN",
    });
  if (lost.length > 0)
    section.note("permissions", {
      message: `the token of a job (CI_JOB_TOKEN) cannot have ${lost.join(", ")}`,
      suggestion: "pass a token of your own to the steps that need it, with secrets",
    });
  return permissions;
}
