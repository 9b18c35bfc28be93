/** The small text that Git LFS commits in place of a large file. */

export interface LfsPointer {
  /** SHA-256 of the object, 64 hexadecimal digits. */
  oid: string;
  sizeBytes: number;
  /** Whether programs of the committer's changed the content before it became the object. */
  isExtended: boolean;
}

export const maxPointerBytes = 1024;
const pattern =
  /^version https:\/\/git-lfs\.github\.com\/spec\/v1\n(?<extensions>(?:ext-[^\n]*\n)*)oid sha256:(?<oid>[0-9a-f]{64})\nsize (?<size>\d{1,15})\n$/;

/** `text` is the file, each byte a character (latin1). null for anything else. */
export function parseLfsPointer(text: string): LfsPointer | null {
  if (text.length > maxPointerBytes) return null;
  const { extensions = "", oid = "", size } = pattern.exec(text)?.groups ?? {};
  return size === undefined ? null : { oid, sizeBytes: Number(size), isExtended: extensions !== "" };
}
