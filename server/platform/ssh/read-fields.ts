/** The form in which SSH writes keys and signatures (RFC 4251, section 5). */

/** Members of a blob, each with its length before it; undefined when they do not fill it exactly. */
export function readFields(blob: Buffer): Buffer[] | undefined {
  const fields: Buffer[] = [];
  let at = 0;
  while (at < blob.length) {
    if (at + 4 > blob.length) return undefined;
    const end = at + 4 + blob.readUInt32BE(at);
    if (end > blob.length) return undefined;
    fields.push(blob.subarray(at + 4, end));
    at = end;
  }
  return fields;
}
