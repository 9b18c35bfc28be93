/** The value of a secret, from a prompt or standard input: never from the command line, which others on the machine can read. */
import { readSecret } from "../../connection/read-secret.ts";

/** From a pipe as it is, so that keys keep their last line ending; that of a single line is the pipe's and not the value's. */
export async function readValue(name: string): Promise<string> {
  if (process.stdin.isTTY) return readSecret(`Value of ${name}`);
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk as Uint8Array));
  const text = Buffer.concat(chunks).toString();
  const line = text.replace(/\r?\n$/, "");
  return line.includes("\n") ? text : line;
}
