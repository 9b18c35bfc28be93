/** Which values of its stores a domain exports: services and pure functions are what others may use, so the few are listed. */
import { parseModule } from "../parse-module.ts";

const levels =
  "other domains put it into their statements, so that PostgreSQL filters, counts and pages what they list";

/** By domain and name: why others need it as it is. */
export const storeExports: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  policy: {
    levelSql: levels,
    ownLevelSql: levels,
    secretSql: levels,
    teamReadsSql: levels,
    visibleSql: levels,
  },
};

/** Names under which `source` exports values (not types) of files called `*.store.ts`; `*` for all of one. */
export function storeValuesIn(file: string, source: string): string[] {
  const { module } = parseModule(file, source);
  const ofStores = module.staticImports.filter(({ moduleRequest }) => isStore(moduleRequest.value));
  const imported = new Set(
    ofStores.flatMap(({ entries }) => entries.map(({ localName }) => localName.value)),
  );
  return module.staticExports
    .flatMap(({ entries }) => entries)
    .filter(({ isType, moduleRequest, localName }) => {
      if (isType) return false;
      return moduleRequest ? isStore(moduleRequest.value) : imported.has(localName.name ?? "");
    })
    .map(({ exportName }) => exportName.name ?? "*");
}

function isStore(path: string): boolean {
  return path.endsWith(".store.ts");
}
