/** `yarn.lock` of all versions, by Yarn's own parser. */
import { parseSyml } from "@yarnpkg/parsers";
import { locked, tableOf, textOf, type Dependency } from "./dependency.ts";

export function readYarnLock(text: string): Dependency[] {
  const entries = Object.entries(tableOf(parseSyml(text), "The file")).filter(
    ([key]) => key !== "__metadata",
  );
  const list: Dependency[] = [];
  const byId = new Map<string, number>();
  const byDescriptor = new Map<string, number>();
  const projects: [string, unknown][] = [];
  const dependents: [Dependency, unknown][] = [];
  for (const [key, value] of entries) {
    const { version, resolution, dependencies } = tableOf(value, key);
    if (textOf(resolution)?.includes("@workspace:")) {
      projects.push(...Object.entries(tableOf(dependencies, key)));
      continue;
    }
    const descriptors = key.split(/\s*,\s*/);
    const one = locked(nameOf(descriptors[0] ?? key), textOf(version));
    // The parser gives each descriptor of an entry of version 1 an entry of its own.
    const id = `${one.name}@${one.version}`;
    const position = byId.get(id) ?? list.length;
    for (const descriptor of descriptors) byDescriptor.set(descriptor, position);
    if (byId.has(id)) continue;
    byId.set(id, position);
    dependents.push([one, dependencies]);
    list.push(one);
  }
  const find = (name: string, range: unknown) =>
    byDescriptor.get(`${name}@${textOf(range)}`) ?? byDescriptor.get(`${name}@npm:${textOf(range)}`);
  for (const [one, dependencies] of dependents)
    one.requires = Object.entries(tableOf(dependencies, one.name)).flatMap(
      ([name, range]) => find(name, range) ?? [],
    );
  for (const [name, range] of projects) {
    const found = list[find(name, range) ?? -1];
    if (found)
      Object.assign(found, { direct: true, requirement: textOf(range)?.replace(/^npm:/, "") ?? null });
  }
  return list;
}

/** `@scope/name@npm:^1.0.0` → `@scope/name` */
function nameOf(descriptor: string): string {
  const at = descriptor.indexOf("@", 1);
  return at < 0 ? descriptor : descriptor.slice(0, at);
}
