/** What signs a commit before it is written: the same commit with a signature is another object. */

/** The bytes of the commit with a signature in its head. */
export type SignCommit = (commit: Buffer) => Promise<Buffer>;
