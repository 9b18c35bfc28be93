/**
 * Records histories of real runs for `test/replay`: `node scripts/record-history.ts [--suffix NAME] [SHAPE…]`, with a
 * standing test bed; without shapes, it records all. Run it for new shapes, and when the definition has changed on purpose; histories of
 * released code stay.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { pipelineWorkflowId } from "@forgeline/schemas/pipelines/workflow.ts";
import { eventually } from "../test/support/eventually.ts";
import { historyToText } from "../test/support/histories.ts";
import { startOrchestration } from "../test/support/orchestration.ts";
import { runShapes } from "../test/support/run-shapes.ts";
import { insertRepository } from "../test/support/runs.ts";

const { values, positionals } = parseArgs({
  options: { suffix: { type: "string" } },
  allowPositionals: true,
});
const suffix = values.suffix ? `-${values.suffix}` : "";
const directory = join(import.meta.dirname, "../test/replay/histories");
await mkdir(directory, { recursive: true });
const bed = await startOrchestration({ graceMs: 100, marginMs: 100, alwaysMs: 1_000 });
try {
  const repository = await insertRepository(bed.db);
  for (const [name, shape] of Object.entries(runShapes)) {
    if (positionals.length > 0 && !positionals.includes(name)) continue;
    const { id, sequences } = await shape(bed.db, repository, bed.ownerUrl);
    for (let sequence = 1; sequence <= sequences; sequence += 1) {
      const handle = bed.temporal.client.workflow.getHandle(pipelineWorkflowId(id, sequence));
      await eventually(async () => (await handle.describe()).status.name === "COMPLETED");
      const file = join(directory, `${name}${sequences > 1 ? `-${sequence}` : ""}${suffix}.json`);
      await writeFile(file, `${historyToText(await handle.fetchHistory())}\n`);
      console.log(file);
    }
  }
} finally {
  await bed.close();
}
