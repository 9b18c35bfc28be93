/** The default branch of a Git bundle: it has the commit of HEAD, and not its name (git-scm.com/docs/gitformat-bundle). */
import { open } from "node:fs/promises";

/** Of the list of refs at its beginning. */
const maxBytes = 8 * 1024 * 1024;
const usual = ["refs/heads/main", "refs/heads/master"];

/** Null where no branch is at that commit. */
export async function bundleHead(path: string): Promise<string | null> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(maxBytes), 0, maxBytes, 0);
    const text = buffer.subarray(0, bytesRead).toString("latin1");
    return headIn(text.slice(0, text.indexOf("\n\n")));
  } finally {
    await file.close();
  }
}

function headIn(header: string): string | null {
  const refs = header.split("\n").map((line) => line.split(" "));
  const head = refs.find(([, name]) => name === "HEAD")?.[0];
  if (head === undefined) return null;
  const branches = refs.flatMap(([oid, name = ""]) =>
    oid === head && name.startsWith("refs/heads/") ? [name] : [],
  );
  return usual.find((name) => branches.includes(name)) ?? branches[0] ?? null;
}
