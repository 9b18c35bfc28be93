/** The name that the editor proposes for a new branch. */

/** Of a new branch that changes this file: what is left of its name can be read in addresses. */
export function branchFor(path: string): string {
  const name = path.split("/").at(-1) ?? "";
  const plain = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");
  return plain === "" ? "change" : `change-${plain}`;
}
