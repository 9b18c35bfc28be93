/** Who imports whom, as esbuild reads it: what is imported as a type alone leaves no import. */
import { relative } from "node:path";
import { build, type Plugin } from "esbuild";

/** For each file those that import it; paths from `root`. All sources are read, in less than a second. */
export async function readImports(
  root: string,
  sources: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const { metafile } = await build({
    absWorkingDir: root,
    stdin: { contents: sources.map((path) => `import "./${path}";`).join("\n"), resolveDir: root },
    bundle: true,
    write: false,
    metafile: true,
    platform: "node",
    format: "esm",
    logLevel: "silent",
    plugins: [oursAlone],
  });
  const importers = new Map<string, string[]>();
  for (const [path, { imports }] of Object.entries(metafile.inputs)) {
    if (path === "<stdin>") continue;
    for (const imported of imports) {
      const key = relative(root, `${root}/${imported.path}`);
      if (!imported.external) importers.set(key, [...(importers.get(key) ?? []), path]);
    }
  }
  return importers;
}

/** Packages are not followed, and what is no code is taken as it is. */
const oursAlone: Plugin = {
  name: "ours alone",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^[^./]/ }, ({ path }) =>
      path.startsWith("@forgeline/") ? undefined : { path, external: true },
    );
    onLoad({ filter: /\.(?:css|json|svg|txt)$/ }, () => ({ contents: "", loader: "js" }));
  },
};
