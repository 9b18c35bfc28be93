/** Runs attacks one after the other, so that what one measures is not another one's load, and says how each went. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { startVitest, type TestModule } from "vitest/node";
import type { Attack } from "./attacks.ts";
import type { AttackResult } from "./summary.ts";

export interface AttackRun {
  seed: number;
  say: (line: string) => void;
}

/** Those that had begun by the time somebody asked to stop (Ctrl-C) are among the results, and no others. */
export async function runAttacks(
  attacks: readonly Attack[],
  { seed, say }: AttackRun,
): Promise<AttackResult[]> {
  process.env["FORGELINE_HOSTILE"] = "full";
  process.env["FORGELINE_SEED"] = String(seed);
  let isStopping = false;
  const stop = () => (isStopping = true);
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, stop);
  const results: AttackResult[] = [];
  for (const attack of attacks) {
    if (isStopping) break;
    say(`\n${attack.name} (${attack.file})`);
    const began = performance.now();
    const ended = await (attack.kind === "tests" ? runTestFile(attack.file) : runProgram(attack.file));
    results.push({ name: attack.name, seconds: (performance.now() - began) / 1000, ...ended });
  }
  return results;
}

type Ended = Pick<AttackResult, "isGood" | "counted">;

async function runTestFile(file: string): Promise<Ended> {
  const vitest = await startVitest([file], { run: true, watch: false });
  try {
    const modules = vitest.state.getTestModules();
    const isGood =
      modules.length > 0 &&
      modules.every((module) => module.ok()) &&
      vitest.state.getUnhandledErrors().length === 0;
    return { isGood, counted: modules.flatMap(countedIn) };
  } finally {
    await vitest.close();
  }
}

function countedIn(module: TestModule): string[] {
  const passed = [...module.children.allTests("passed")].length;
  const all = [...module.children.allTests()];
  const figures = all.flatMap((test) => Object.entries(test.meta().counted ?? {}));
  return [`${passed} of ${all.length} tests`, ...figures.map(([what, figure]) => `${what}: ${figure}`)];
}

async function runProgram(file: string): Promise<Ended> {
  const child = spawn(process.execPath, [file], { stdio: "inherit" });
  const [status] = (await once(child, "close")) as [number | null];
  return { isGood: status === 0, counted: ["see its own lines above"] };
}
