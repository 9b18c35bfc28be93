/** Images and services of GitLab. */
import type { TreeNode } from "../../tree.ts";
import { attempt } from "../cannot.ts";
import { slug } from "../names.ts";
import { child, entries, items, textOfNode, texts } from "../nodes.ts";
import { present, type Plain, type PlainMap } from "../plain.ts";
import type { Section } from "../trace.ts";
import { translateVariableText, type VariableScope } from "./variables.ts";

export interface Containers {
  section: Section;
  scope: VariableScope;
}

/** What GitLab's runners take where no image is named is up to them. */
export const fallbackImage = "buildpack-deps:noble";

export function convertImage(node: TreeNode | undefined, { section, scope }: Containers): Plain {
  if (node === undefined) return fallbackImage;
  const name = attempt(() =>
    translateVariableText(textOfNode(node) ?? textOfNode(child(node, "name")) ?? "", scope),
  );
  if ("problem" in name || name.value === "") {
    section.note("image", {
      message: "problem" in name ? name.problem.message : "no image is named",
      suggestion: "write the image",
    });
    return fallbackImage;
  }
  const policies = texts(child(node, "pull_policy"));
  const user = textOfNode(child(child(node, "docker"), "user"));
  if (
    child(node, "entrypoint") !== undefined &&
    items(child(node, "entrypoint")).some((item) => textOfNode(item) !== "")
  )
    section.note("image", {
      message: "a job's container starts no program of the image",
      suggestion: "call the program in the script",
    });
  const image = present({ name: name.value, pull: policies[0] === "always" ? "always" : null, user });
  return Object.keys(image).length === 1 ? name.value : image;
}

export function convertServices(node: TreeNode | undefined, { section, scope }: Containers): PlainMap {
  const services: PlainMap = {};
  for (const item of items(node).slice(0, 10)) {
    const written = textOfNode(item) ?? textOfNode(child(item, "name")) ?? "";
    const image = attempt(() => translateVariableText(written, scope));
    if ("problem" in image || image.value === "") {
      section.note("services", {
        message: "problem" in image ? image.problem.message : "a service has no image",
      });
      continue;
    }
    const [alias, ...others] = (textOfNode(child(item, "alias")) ?? hostOf(written)).split(/[\s,]+/);
    if (others.length > 0)
      section.note("services", {
        message: `a service has one name, so it is not called ${others.join(", ")} too`,
      });
    const env = Object.fromEntries(
      entries(child(item, "variables")).map(({ key, value }) => [key, textOfNode(value) ?? ""]),
    );
    const entrypoint = texts(child(item, "entrypoint"));
    const id = slug(alias ?? "service");
    if (id !== alias && !/[/.]/.test(written))
      section.note("services", { message: `the service ${alias ?? ""} is called ${id} here` });
    services[id] = present({
      image: entrypoint.length > 0 ? { name: image.value, entrypoint } : image.value,
      command: texts(child(item, "command")),
      env,
    });
    if (/(^|\/)docker:.*dind|docker:dind/.test(written))
      section.note("services", {
        message: "Docker in a service needs a privileged container",
        suggestion:
          "build images with kaniko or buildah, or write privileged: true into the job, which an administrator has to allow",
      });
  }
  return services;
}

/** `registry/group/postgres:17` is reached as `registry-group-postgres`. */
function hostOf(image: string): string {
  return image.replace(/[:@].*$/, "").replaceAll("/", "-");
}
