/**
 * The program that wraps and unwraps data keys, for a key-management system. It gets one line of JSON on standard input,
 * `{"version":1,"operation":"wrap","plaintext":…}` or `{"version":1,"operation":"unwrap","wrapped":…}`, and answers with one
 * object on standard output, `{"wrapped":…}` or `{"plaintext":…}`, all in base64. Any other exit code than 0 is a failure, whose
 * reason is on standard error. `docs/operations/keys.md` describes it for operators.
 */
import { spawn } from "node:child_process";
import { z } from "zod";

const withinMs = 30_000;
const maxAnswerBytes = 65_536;
const maxReason = 500;

const Wrapped = z.object({ wrapped: z.base64().min(1) });
const Unwrapped = z.object({ plaintext: z.base64() });

/** Rejects with a sentence when the program fails, is silent for 30 seconds, or answers something else. */
export async function wrapWithProgram(program: string, key: Buffer): Promise<Buffer> {
  const answer = await ask(program, { operation: "wrap", plaintext: key.toString("base64") });
  return Buffer.from(parse(program, Wrapped, answer).wrapped, "base64");
}

/** As `wrapWithProgram`. */
export async function unwrapWithProgram(program: string, wrapped: Buffer): Promise<Buffer> {
  const answer = await ask(program, { operation: "unwrap", wrapped: wrapped.toString("base64") });
  const key = Buffer.from(parse(program, Unwrapped, answer).plaintext, "base64");
  if (key.length !== 32) throw new Error(`${program} returned ${key.length} bytes instead of 32`);
  return key;
}

function parse<T>(program: string, schema: z.ZodType<T>, text: string): T {
  try {
    return schema.parse(JSON.parse(text));
  } catch (error) {
    // The answer may hold a key: it is not repeated.
    throw new Error(`${program} did not answer as documented`, {
      cause: error instanceof z.ZodError ? z.prettifyError(error) : undefined,
    });
  }
}

function ask(program: string, request: object): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, [], {
      stdio: ["pipe", "pipe", "pipe"],
      timeout: withinMs,
      killSignal: "SIGKILL",
    });
    const output = collect(child.stdout, () => child.kill("SIGKILL"));
    const errors = collect(child.stderr, () => undefined);
    child.on("error", (error) => reject(new Error(`${program} cannot be started: ${error.message}`)));
    // It may answer, or fail, without reading.
    child.stdin.on("error", () => undefined);
    child.stdin.end(`${JSON.stringify({ version: 1, ...request })}\n`);
    child.on("close", (code, signal) => {
      if (code === 0) return resolve(output());
      const reason = errors().trim().slice(0, maxReason);
      const how = code === null ? `was ended (${signal})` : `ended with status ${code}`;
      reject(new Error(`${program} ${how}${reason === "" ? "" : `: ${reason}`}`));
    });
  });
}

/** What the stream has said so far, up to the limit; more than that is reported once. */
function collect(stream: NodeJS.ReadableStream, onTooMuch: () => void): () => string {
  const chunks: Buffer[] = [];
  let bytes = 0;
  stream.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= maxAnswerBytes) chunks.push(chunk);
    else onTooMuch();
  });
  return () => Buffer.concat(chunks).toString("utf8");
}
