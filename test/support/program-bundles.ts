/**
 * Our programs bundled into few files for the processes that tests start: a thousand modules cost each start of a server half
 * a second of processor time, and a bundle a tenth of that. The sources themselves start in the tests of `npm start`, and
 * wherever no bundles were made.
 */
import { existsSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { build, type Plugin } from "esbuild";
import { asNodeModule } from "@forgeline/launcher/bundled-program.ts";

const checkout = join(import.meta.dirname, "../..");
/** Below the checkout, so that what stays outside of the bundles is found from there. */
const directory = join(checkout, "node_modules/.forgeline-programs");
const programs: Readonly<Record<string, string>> = {
  "server/main.ts": "server",
  "workflows/worker/main.ts": "worker",
  "runner/main.ts": "runner",
  "cli/main.ts": "cli",
  "test/support/shell-runner.ts": "shell-runner",
  "test/hostile/support/agent.ts": "hostile-agent",
};
/** With native parts, or files of their own that they look for beside them. */
const external = ["cpu-features", "*.node", "@temporalio/worker", "@node-rs/argon2", "pg-native"];

/** Set for a run whose bundles are those of its sources. */
const isBundled = "FORGELINE_TEST_PROGRAMS";

/** Makes the bundles; from then on this process and its children start them. */
export async function bundlePrograms(): Promise<void> {
  await rm(directory, { recursive: true, force: true });
  await build({
    absWorkingDir: checkout,
    entryPoints: Object.entries(programs).map(([path, out]) => ({ in: path, out })),
    outdir: directory,
    outExtension: { ".js": ".mjs" },
    ...asNodeModule,
    splitting: true,
    logLevel: "error",
    external,
    plugins: [ownPlaces],
  });
  process.env[isBundled] = "1";
}

/** What our sources find beside themselves, they find there still. */
const ownPlaces: Plugin = {
  name: "own places",
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      if (path.includes("/node_modules/")) return undefined;
      const text = await readFile(path, "utf8");
      return {
        loader: "ts",
        contents: text
          .replaceAll("import.meta.url", JSON.stringify(pathToFileURL(path).href))
          .replaceAll("import.meta.dirname", JSON.stringify(dirname(path))),
      };
    });
  },
};

/** The file to start for a program, which is named by its path below the checkout. */
export function programFile(path: string): string {
  const name = programs[path];
  const bundle = name === undefined ? undefined : join(directory, `${name}.mjs`);
  return process.env[isBundled] && bundle !== undefined && existsSync(bundle) ? bundle : join(checkout, path);
}
