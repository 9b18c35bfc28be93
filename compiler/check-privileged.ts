/** Privileged jobs: which the file has, and whether the repository and the run may have any. */
import type { FileModel } from "./file-model.ts";
import type { Path } from "./path.ts";
import type { Report } from "./report.ts";
import type { ValidFile } from "./structure.ts";
import { quote } from "./suggest.ts";
import { spanOfKey } from "./tree.ts";

/** `untrusted`: the commits of the run come from elsewhere. */
export type PrivilegedJobs = "allowed" | "not_allowed" | "untrusted";

/** `rule` null: only a server knows, and none was asked. */
export function checkPrivileged(
  model: FileModel,
  { sound: { file, tree }, rule }: { sound: ValidFile; rule: PrivilegedJobs | null },
  report: Report,
): void {
  for (const { key, path, job } of model.jobs) {
    if (!(job.privileged ?? file.defaults?.privileged)) continue;
    const at: Path = job.privileged === undefined ? ["defaults", "privileged"] : [...path, "privileged"];
    const span = spanOfKey(tree, at);
    const network = job.network ?? file.defaults?.network;
    if (network !== undefined && network !== "open")
      report.add("P131", span, {
        message: `job ${quote(key)} is privileged and closes its network`,
        hint: "a privileged job can open any network: leave out one of the two (`network: open` undoes the defaults)",
      });
    if (rule === "not_allowed")
      report.add("P420", span, {
        message: `job ${quote(key)} is privileged, and this repository may not have privileged jobs`,
        hint: "an administrator of this instance can allow it: forgeline admin privileged allow OWNER/NAME",
      });
    if (rule === "untrusted")
      report.add("P421", span, {
        message: `job ${quote(key)} is privileged, and this run brings commits from another repository`,
        hint: "such runs never have privileged jobs: leave them out with `when: { event: [push, tag, manual] }` in a file of their own",
      });
  }
}
