/** `services` and `container` of a job. */
import type { TreeNode } from "../../tree.ts";
import { attempt } from "../cannot.ts";
import { slug } from "../names.ts";
import { entries, textOfNode, texts } from "../nodes.ts";
import { present, type Plain, type PlainMap } from "../plain.ts";
import { openSection, type Section } from "../trace.ts";
import { duration } from "../values.ts";
import { containerOptions } from "./container-options.ts";
import { convertEnv } from "./env.ts";
import type { JobWork } from "./job-work.ts";
import { onlySecret, translateTemplate } from "./texts.ts";

const lost = {
  volumes: [
    "containers have no volumes besides the workspace",
    "put the files into the workspace or the image",
  ],
  ports: ["", ""],
} as const;

export function convertServices(node: TreeNode | undefined, work: JobWork): PlainMap {
  const services: PlainMap = {};
  for (const { key, value } of entries(node).slice(0, 10)) {
    const section = openSection(value, "jobs.*.services.*", {
      trace: work.file.trace,
      at: [...work.section.at, "services", slug(key)],
    });
    const service = convertService(section, work);
    if (service) services[slug(key)] = service;
  }
  if (Object.keys(services).length > 0 && !work.hasContainer)
    work.section.note("services", {
      message: "steps reach a service by its name, on the port that it listens on itself, not on localhost",
      suggestion: `use ${Object.keys(services).join(", ")} as host where localhost or 127.0.0.1 stands now`,
    });
  return services;
}

function convertService(section: Section, work: JobWork): PlainMap | null {
  const image = imageOf(section, work);
  if (image === null) return null;
  const { env, secrets } = convertEnv(section.take("env"), work.known, section);
  if (secrets.length > 0)
    section.note("env", {
      message: "services find secrets in files",
      suggestion: "name the secret with file under secrets of the service",
    });
  section.take("ports");
  const ready = readyOf(textOfNode(section.take("options")) ?? "", section);
  section.finish(lost);
  return present({ image, env, ready });
}

/** The image with its credentials. */
function imageOf(section: Section, work: JobWork): Plain {
  const written = textOfNode(section.take("image")) ?? "";
  const image = attempt(() => translateTemplate(written, work.known));
  const credentials = section.take("credentials");
  if ("problem" in image || image.value === "") {
    section.note("image", { message: "problem" in image ? image.problem.message : "no image is named" });
    return null;
  }
  if (credentials === undefined) return image.value;
  const given = Object.fromEntries(
    entries(credentials).map(({ key, value }) => [key, textOfNode(value) ?? ""]),
  );
  const password = onlySecret(given.password ?? "");
  if (
    password !== null &&
    given.username !== undefined &&
    given.username !== "" &&
    !given.username.includes("${{")
  )
    return { name: image.value, auth: { username: given.username, password } };
  section.note("credentials", {
    message: "the user name must be text, and the password a secret",
    suggestion: "write auth: { username: NAME, password: SECRET } under image",
  });
  return image.value;
}

/** Health checks among the options of `docker create`. */
function readyOf(options: string, section: Section): PlainMap | null {
  const found = new Map<string, string>();
  const rest = options.replace(
    /--health-([a-z-]+)[=\s]+("[^"]*"|'[^']*'|\S+)/g,
    (_all, name: string, value: string) => {
      found.set(name, value.replace(/^(["'])(.*)\1$/s, "$2"));
      return "";
    },
  );
  if (rest.trim() !== "")
    section.note("options", {
      message: `${rest.trim().split(/\s+/).join(" ")} is not carried over`,
      suggestion: "resources has cpu, memory and shm",
    });
  const exec = found.get("cmd");
  if (exec === undefined) return null;
  const interval = duration(found.get("interval") ?? "");
  return present({ exec, interval });
}

/** The job's own container: its image, or null where there is none. */
export function convertContainer(
  node: TreeNode | undefined,
  work: JobWork,
): { image: Plain; env: PlainMap; secrets: Plain[] } {
  const nothing = { image: null, env: {}, secrets: [] };
  if (node === undefined) return nothing;
  work.hasContainer = true;
  if (node.kind === "scalar") {
    const image = attempt(() => translateTemplate(node.text, work.known));
    if ("value" in image) return { ...nothing, image: image.value };
    work.section.note("container", { message: image.problem.message });
    return nothing;
  }
  const section = openSection(node, "jobs.*.container", { trace: work.file.trace, at: work.section.at });
  const image = imageOf(section, work);
  const own = convertEnv(section.take("env"), work.known, section);
  section.take("ports");
  const { user, resources, rest } = containerOptions(textOfNode(section.take("options")) ?? "");
  if (rest !== "")
    section.note("options", {
      message: `${rest} is not carried over`,
      suggestion: "resources has cpu, memory and shm, and image a user; there are no other options",
    });
  if (Object.keys(resources).length > 0) work.job.resources = resources;
  section.finish(lost);
  const named = user !== null && typeof image === "string" ? { name: image, user } : image;
  return { image: named, ...own };
}

export function labelsOf(node: TreeNode | undefined): string[] {
  return texts(node?.kind === "map" ? node.entries.get("labels")?.value : node);
}
