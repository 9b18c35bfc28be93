/** The files with which a repository begins, as its creator chose. */
import type { RepositoryCreate } from "@forgeline/schemas/repositories/resource.ts";
import type { LicenseHolder } from "../templates/fill-license.ts";
import type { Gitignores } from "../templates/gitignores.ts";
import type { LicenseInfo, Licenses } from "../templates/licenses.ts";

export interface Templates {
  licenses: Licenses;
  gitignores: Gitignores;
}

export interface ChosenTemplates {
  license: LicenseInfo | undefined;
  gitignore: string | undefined;
  /** Fields that name an unknown template or license. */
  unknown: ("license" | "gitignore")[];
}

export async function chooseTemplates(
  { licenses, gitignores }: Templates,
  wanted: Pick<RepositoryCreate, "license" | "gitignore">,
): Promise<ChosenTemplates> {
  const license = wanted.license === undefined ? undefined : await licenses.find(wanted.license);
  const gitignore = wanted.gitignore === undefined ? undefined : await gitignores.find(wanted.gitignore);
  const unknown: ChosenTemplates["unknown"] = [];
  if (wanted.license !== undefined && !license) unknown.push("license");
  if (wanted.gitignore !== undefined && gitignore === undefined) unknown.push("gitignore");
  return { license, gitignore, unknown };
}

/** By path; empty for an empty repository. */
export async function firstFiles(
  { licenses }: Templates,
  { wanted, chosen, holder }: { wanted: RepositoryCreate; chosen: ChosenTemplates; holder: LicenseHolder },
): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  if (wanted.auto_init || wanted.readme) {
    const paragraphs = [`# ${wanted.name}`, wanted.description].filter((text) => text !== "");
    files["README.md"] = `${paragraphs.join("\n\n")}\n`;
  }
  if (chosen.license) files["LICENSE"] = await licenses.text(chosen.license, holder);
  if (chosen.gitignore !== undefined) files[".gitignore"] = chosen.gitignore;
  return files;
}
