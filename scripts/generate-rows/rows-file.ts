/** The text of `<name>.rows.ts`. */
import { basename, dirname, relative } from "node:path";
import { originsIn } from "./column-types.ts";
import { indented } from "./json.ts";

export interface RowType {
  statement: string;
  /** Empty for a statement that returns nothing. */
  columns: readonly { name: string; type: string }[];
}

export function rowsPath(store: string): string {
  return store.replace(/\.store\.ts$/, ".rows.ts");
}

export function rowsFile(store: string, rows: readonly RowType[]): string {
  const types = rows.flatMap((row) => row.columns.map(({ type }) => type));
  return [
    `/** Made by \`node scripts/generate-rows.ts\` from the statements of ${basename(store)}; do not edit. */`,
    ...imports(dirname(store), types.join("\n")),
    "",
    `export interface ${interfaceName(store)} {`,
    ...rows.map(member),
    "}",
    "",
  ].join("\n");
}

/** `teams.store.ts` → `TeamsRows`. */
function interfaceName(store: string): string {
  const words = basename(store, ".store.ts").split("-");
  return `${words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("")}Rows`;
}

function member({ statement, columns }: RowType): string {
  if (columns.length === 0) return `  ${statement}: never;`;
  const lines = columns.map(
    ({ name, type }) => `    ${/^\w+$/.test(name) ? name : JSON.stringify(name)}: ${indented(type, 4)};`,
  );
  return [`  ${statement}: {`, ...lines, "  };"].join("\n");
}

function imports(directory: string, types: string): string[] {
  const names = new Map<string, Set<string>>();
  for (const origin of originsIn(types)) {
    const from = origin.from.startsWith("@")
      ? origin.from
      : `./${relative(directory, origin.from)}`.replace("./..", "..");
    names.set(from, (names.get(from) ?? new Set()).add(origin.name));
  }
  return [...names]
    .map(([from, found]) => `import type { ${[...found].toSorted().join(", ")} } from "${from}";`)
    .toSorted();
}
