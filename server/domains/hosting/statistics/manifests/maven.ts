/** `pom.xml` by itself; parents and imported lists of versions are not fetched. */
import { XMLParser, XMLValidator } from "fast-xml-parser";
import type { DependencyScope } from "@forgeline/schemas/statistics/dependencies.ts";
import { tableOf, textOf, UnreadableManifest, wanted, type Dependency, type Json } from "./dependency.ts";

const scopes: Record<string, DependencyScope> = { test: "development", provided: "build", system: "build" };

export function readPom(text: string): Dependency[] {
  // It could define entities that expand without limit.
  if (/<!DOCTYPE/i.test(text)) throw new UnreadableManifest("A document type is not allowed here.");
  const valid = XMLValidator.validate(text);
  if (valid !== true) throw new UnreadableManifest(`${valid.err.msg} (line ${valid.err.line})`);
  const parser = new XMLParser({ processEntities: false, parseTagValue: false, ignoreAttributes: true });
  const file = tableOf(parser.parse(text), "The file");
  if (file["project"] === undefined) throw new UnreadableManifest("There is no `project`.");
  const project = tableOf(file["project"] === "" ? {} : file["project"], "project");
  const known = propertiesOf(project);
  const fill = (value: unknown) =>
    textOf(value)?.replaceAll(/\$\{([^}]*)\}/g, (all, name: string) => known.get(name) ?? all) ?? null;
  const nameOf = (each: Json) => `${fill(each["groupId"]) ?? ""}:${fill(each["artifactId"]) ?? ""}`;
  const managed = new Map(
    dependenciesOf(child(project, "dependencyManagement")).map((each) => [
      nameOf(each),
      fill(each["version"]),
    ]),
  );
  return dependenciesOf(project).map((each) => {
    const requirement = fill(each["version"]) ?? managed.get(nameOf(each)) ?? null;
    const scope = each["optional"] === "true" ? "optional" : scopes[textOf(each["scope"]) ?? ""];
    const isExact = requirement !== null && !/[[\](),$]/.test(requirement);
    return {
      ...wanted(nameOf(each), requirement, scope ?? "runtime"),
      version: isExact ? requirement : null,
    };
  });
}

/** An element without content is read as "". */
function child(element: Json, name: string): Json {
  return typeof element[name] === "string" ? {} : tableOf(element[name], name);
}

function dependenciesOf(element: Json): Json[] {
  const list = [child(element, "dependencies")["dependency"] ?? []].flat();
  return list.filter((each) => typeof each === "object").map((each) => tableOf(each, "dependency"));
}

function propertiesOf(project: Json): Map<string, string> {
  const parent = child(project, "parent");
  const own = Object.entries(child(project, "properties"));
  const inherited = (name: string) => project[name] ?? parent[name];
  const entries = [
    ...own,
    ...["version", "groupId", "artifactId"].map((name) => [`project.${name}`, inherited(name)] as const),
    ...["version", "groupId"].map((name) => [`project.parent.${name}`, parent[name]] as const),
  ];
  return new Map(
    entries.flatMap(([name, value]) => (textOf(value) === null ? [] : [[name, textOf(value)!]])),
  );
}
