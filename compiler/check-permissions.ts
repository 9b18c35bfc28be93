/** `permissions` in a repository whose jobs may only read. */
import type { FileModel } from "./file-model.ts";
import type { Path } from "./path.ts";
import type { Report } from "./report.ts";
import type { ValidFile } from "./structure.ts";
import { quote } from "./suggest.ts";
import { spanOfKey } from "./tree.ts";

export function checkPermissions(model: FileModel, { file, tree }: ValidFile, report: Report): void {
  for (const { key, path, job } of model.jobs) {
    if (job.trigger) continue;
    const asked = job.permissions ?? file.defaults?.permissions ?? [];
    const writing = asked.filter((permission) => permission.endsWith(":write"));
    if (writing.length === 0) continue;
    const at: Path = job.permissions === undefined ? ["defaults", "permissions"] : [...path, "permissions"];
    report.add("P422", spanOfKey(tree, at), {
      message: `job ${quote(key)} asks for ${writing.map(quote).join(" and ")}, and jobs of this repository may only read`,
      hint: "an administrator of the repository can allow it: forgeline repo edit --job-permissions-max write",
    });
  }
}
