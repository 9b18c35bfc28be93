/** The containers that the runner makes and what each has mounted, as the runner's threat model lists them. */
import { readFile } from "node:fs/promises";

const page = new URL("../../../docs/architecture/runner-walls.md", import.meta.url);

/** By kind, as in the label: mounts such as `/workspace rw`, in order of their names; those in brackets are not always there. */
export async function containersListed(): Promise<Record<string, { mounts: string[]; sometimes: string[] }>> {
  const text = await readFile(page, "utf8");
  const rows = text.split("\n").filter((line) => /^\| `(job|step|service|helper|filter)` \|/.test(line));
  return Object.fromEntries(
    rows.map((row) => {
      const [kind = "", mounts = ""] = row
        .split("|")
        .slice(1)
        .map((cell) => cell.trim());
      const all = [...mounts.matchAll(/(\()?`([^`]+)`/g)];
      const always = all.filter(([, bracket]) => bracket === undefined).map(([, , mount = ""]) => mount);
      const sometimes = all.filter(([, bracket]) => bracket !== undefined).map(([, , mount = ""]) => mount);
      return [kind.replaceAll("`", ""), { mounts: always.toSorted(), sometimes }];
    }),
  );
}
