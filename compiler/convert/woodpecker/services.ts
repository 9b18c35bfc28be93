/** Services of Woodpecker. */
import type { TreeNode } from "../../tree.ts";
import { slug } from "../names.ts";
import { texts } from "../nodes.ts";
import { present, type PlainMap } from "../plain.ts";
import { openSection } from "../trace.ts";
import { advice } from "./advice.ts";
import { environmentOf, imageOf, type Job } from "./containers.ts";
import { namedNodes, type NamedNode } from "./steps.ts";
import { translateScript } from "./texts.ts";

/** At most so many in a job. */
const maxServices = 10;

/** All that have an image; a note says what of them is lost. */
export function convertServices(node: TreeNode | undefined, job: Job): PlainMap {
  const services: PlainMap = {};
  const named = namedNodes(node);
  for (const { name, span } of named.slice(maxServices))
    job.trace.note(span, ["jobs", job.id], {
      construct: "services",
      message: `a job has at most ${maxServices} services, so ${name} is left out`,
    });
  for (const service of named.slice(0, maxServices)) {
    const id = slug(service.name);
    const converted = convertService(service, id, job);
    if (converted) services[id] = converted;
  }
  return services;
}

/** null: it has no image. */
function convertService({ node, span }: NamedNode, id: string, job: Job): PlainMap | null {
  const at = ["jobs", job.id, "services", id];
  const section = openSection(node, "services.*", { trace: job.trace, at });
  section.take("name");
  const image = imageOf(section, job);
  const { env, secrets } = environmentOf(section, job);
  const { run, problems } = translateScript(texts(section.take("commands")).join("\n"));
  for (const { message, suggestion } of problems) section.note("commands", { message, suggestion });
  if (section.take("when") !== undefined)
    job.trace.note(span, at, {
      construct: "services.*.when",
      message: "a service runs whenever its job does",
    });
  if (secrets.length > 0)
    section.note("environment", {
      message: "services find secrets in files",
      suggestion: "name the secret with file under secrets of the service",
    });
  if (section.take("settings") !== undefined)
    section.note("settings", {
      message: "settings of plugins are not passed on",
      suggestion: "write them as env, PLUGIN_NAME for each",
    });
  section.finish(advice);
  if (image === null) return null;
  return present({ image, env, command: run === "" ? null : ["sh", "-c", run] });
}
