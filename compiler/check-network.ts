/** What is wrong with the `network` of jobs, as far as the file alone shows it. */
import type { FileNetwork } from "@forgeline/schemas/pipeline-file/file-network.ts";
import type { FileModel } from "./file-model.ts";
import { parseNetworkTarget } from "./network-target.ts";
import type { Path } from "./path.ts";
import type { Report } from "./report.ts";
import type { ValidFile } from "./structure.ts";
import { quote } from "./suggest.ts";
import { spanOfValue } from "./tree.ts";

export function checkNetworks(model: FileModel, { file, tree }: ValidFile, report: Report): void {
  const check = (network: FileNetwork | undefined, path: Path): void => {
    if (typeof network !== "object") return;
    for (const [i, entry] of network.allow.entries()) {
      const problem = problemOf(entry);
      if (problem !== null) report.add("P130", spanOfValue(tree, [...path, "network", "allow", i]), problem);
    }
  };
  check(file.defaults?.network, ["defaults"]);
  for (const { job, path } of model.jobs) check(job.network, path);
}

function problemOf(entry: string): { message: string; hint: string } | null {
  // Expressions are refused as such, for the whole file.
  if (entry.includes("${{") || parseNetworkTarget(entry) !== null) return null;
  if (entry === "*")
    return {
      message: '"allow" cannot list everything as "*"',
      hint: "write `network: open`, or leave `network` out",
    };
  const isAddress = /^[a-z][a-z0-9+.-]*:\/\//i.test(entry);
  return {
    message: `${quote(entry)} is not a host, an address or a network`,
    hint: isAddress
      ? `write the host alone${hostOf(entry)}: what is requested from it is not looked at`
      : "write registry.npmjs.org, *.example.com:443, 192.0.2.0/24 or [2001:db8::1]:443",
  };
}

function hostOf(address: string): string {
  const host = /^[^:]+:\/\/([^/?#@]+)/.exec(address)?.[1];
  return host === undefined || parseNetworkTarget(host) === null ? "" : `, ${host}`;
}
