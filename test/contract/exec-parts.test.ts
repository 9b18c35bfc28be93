/** `forgeline exec` decides with the server's functions, and brings nothing of the server that works on its database or on Temporal. */
import { join } from "node:path";
import { build } from "esbuild";
import { expect, test } from "vitest";

const checkout = join(import.meta.dirname, "../..");

async function inputsOf(entry: string): Promise<string[]> {
  const { metafile } = await build({
    absWorkingDir: checkout,
    entryPoints: [entry],
    bundle: true,
    platform: "node",
    format: "esm",
    write: false,
    metafile: true,
    logLevel: "silent",
    external: ["cpu-features", "*.node"],
  });
  return Object.keys(metafile.inputs);
}

test("what runs pipelines here contains decisions and engine, and no database, no Temporal, no HTTP server", async () => {
  const inputs = await inputsOf("cli/exec/execute.ts");
  expect(inputs).toContain("workflows/definitions/pipeline-plan.ts");
  expect(inputs).toContain("runner/job/running-job.ts");
  const strangers = inputs.filter((path) =>
    /\.store\.ts$|^server\/platform\/db\/|^server\/edges\/|node_modules\/(pg|express|@temporalio)\//.test(
      path,
    ),
  );
  expect(strangers).toEqual([]);
});
