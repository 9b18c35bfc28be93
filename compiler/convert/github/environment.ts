/** `environment` of a job. Its name is known before the job begins, its address may come from jobs that it needs. */
import { addKey } from "../add-key.ts";
import { attempt } from "../cannot.ts";
import { environmentName } from "../names.ts";
import { child, textOfNode } from "../nodes.ts";
import type { JobWork } from "./job-work.ts";
import { translateTemplate } from "./texts.ts";

export function addEnvironment({ section, job, known }: JobWork): void {
  const node = section.take("environment");
  if (node === undefined) return;
  const written = textOfNode(node) ?? textOfNode(child(node, "name")) ?? "";
  const name = attempt(() => translateTemplate(written, { ...known, needs: new Map(), steps: new Map() }));
  if ("problem" in name)
    return section.note("environment", {
      message: `its name: ${name.problem.message}, so this job deploys nowhere`,
      suggestion: "write environment with a name",
    });
  const address = textOfNode(child(node, "url"));
  const url =
    address === null ? null : attempt(() => translateTemplate(address, { ...known, steps: new Map() }));
  if (url && "problem" in url)
    section.note("environment", {
      message: `its address: ${url.problem.message}`,
      suggestion: "write url with what is known before the job, or with outputs of jobs that it needs",
    });
  const isWhole = url !== null && "value" in url;
  const ours = environmentName(name.value);
  if (ours !== name.value)
    section.note("environment", {
      message: `an environment's name has no "/" and no spaces, so this one is ${ours} here`,
      suggestion: "create and protect it under this name",
    });
  addKey(job, "environment", isWhole ? { name: ours, url: url.value } : ours);
  section.note("environment", {
    message: "reviewers of an environment are set up at GitHub",
    suggestion: "protect the environment: forgeline environment protect, or on its page",
  });
}
