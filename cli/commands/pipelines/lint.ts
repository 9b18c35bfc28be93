/** `forgeline pipeline lint`: checks a pipeline file without any server. */
import { readFile } from "node:fs/promises";
import { Command } from "commander";
import { colors } from "../../output/colors.ts";
import { renderDiagnostic } from "@forgeline/compiler/render-diagnostic.ts";
import { docsAddress } from "../../connection/docs-address.ts";
import { UsageError } from "../../connection/settings.ts";
import type { GlobalFlags } from "../../context.ts";
import { compileCheckout } from "../../checkout/compile-checkout.ts";

export function lintCommand(): Command {
  return new Command("lint")
    .description("Check a pipeline file, offline; exit status 1 when it has errors")
    .argument("[file]", "the file", ".forgeline.yml")
    .action(async (file: string, _flags: unknown, command: Command) => {
      const text = await readFile(file, "utf8").catch(() => {
        throw new UsageError(`cannot read ${file}`);
      });
      const { compiled } = await compileCheckout({ file, text });
      const { diagnostics, plan } = compiled;
      const errors = diagnostics.filter((d) => d.severity === "error").length;
      const flags = command.optsWithGlobals<GlobalFlags>();
      const docsUrl = await docsAddress(flags);
      if (flags.json) process.stdout.write(`${JSON.stringify(diagnostics, null, 2)}\n`);
      else {
        for (const diagnostic of diagnostics)
          process.stdout.write(`${renderDiagnostic(diagnostic, { text, docsUrl })}\n\n`);
        if (plan)
          process.stdout.write(
            `${colors.green("✓")} ${file}: ${count(plan.stages.length, "stage")}, ${count(plan.jobs.length, "job")}${diagnostics.length ? `, ${count(diagnostics.length, "warning")}` : ""}\n`,
          );
        else process.stdout.write(`${colors.red("✗")} ${file}: ${count(errors, "error")}\n`);
      }
      process.exitCode = errors > 0 ? 1 : 0;
    });
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? "" : "s"}`;
}
