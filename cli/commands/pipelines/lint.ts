/** `forgeline pipeline lint`: checks pipeline files without any server. */
import { text as textOf } from "node:stream/consumers";
import { Command } from "commander";
import { renderDiagnostic } from "@forgeline/compiler/render-diagnostic.ts";
import { compileCheckout } from "../../checkout/compile-checkout.ts";
import { namedFiles, standardInput, type NamedFiles } from "../../checkout/named-files.ts";
import { docsAddress } from "../../connection/docs-address.ts";
import type { GlobalFlags } from "../../context.ts";
import { readText } from "../../options/read-file.ts";
import { colors } from "../../output/colors.ts";
import { terminalSafe } from "../../output/terminal-safe.ts";

interface CheckedFile {
  file: string;
  text?: string;
  diagnostics: NamedFiles["diagnostics"];
  /** null when there are errors. */
  size: { stages: number; jobs: number } | null;
}

export function lintCommand(): Command {
  return new Command("lint")
    .description("Check pipeline files, offline; exit status 1 when one has errors")
    .argument("[files...]", "files, folders, names of pipelines, or - for standard input (default: all here)")
    .action(async (named: string[], _flags: unknown, command: Command) => {
      const { files, diagnostics } = await namedFiles(named);
      const checked = diagnostics.map((one): CheckedFile => ({
        file: one.file,
        diagnostics: [one],
        size: null,
      }));
      for (const file of files) checked.push(await checkFile(file));
      await show(checked, command.optsWithGlobals<GlobalFlags>());
      process.exitCode = checked.some(({ size }) => size === null) ? 1 : 0;
    });
}

async function checkFile(named: string): Promise<CheckedFile> {
  const isInput = named === standardInput;
  const file = isInput ? "<stdin>" : named;
  const text = isInput ? await textOf(process.stdin) : await readText(named);
  const { compiled } = await compileCheckout({ file, text });
  const { diagnostics, plan } = compiled;
  return { file, text, diagnostics, size: plan && { stages: plan.stages.length, jobs: plan.jobs.length } };
}

async function show(checked: readonly CheckedFile[], flags: GlobalFlags): Promise<void> {
  if (flags.json) {
    const all = checked.flatMap(({ diagnostics }) => diagnostics);
    return void process.stdout.write(`${JSON.stringify(all, null, 2)}\n`);
  }
  const docsUrl = await docsAddress(flags);
  for (const each of checked) {
    const { text, diagnostics } = each;
    const options = { docsUrl, ...(text === undefined ? {} : { text }) };
    for (const one of diagnostics) process.stdout.write(`${renderDiagnostic(one, options)}\n\n`);
    process.stdout.write(`${summaryOf(each)}\n`);
  }
}

function summaryOf({ file, diagnostics, size }: CheckedFile): string {
  const name = terminalSafe(file);
  const errors = diagnostics.filter(({ severity }) => severity === "error").length;
  if (size === null) return `${colors.red("✗")} ${name}: ${count(errors, "error")}`;
  const parts = [count(size.stages, "stage"), count(size.jobs, "job")];
  if (diagnostics.length > 0) parts.push(count(diagnostics.length, "warning"));
  return `${colors.green("✓")} ${name}: ${parts.join(", ")}`;
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? "" : "s"}`;
}
